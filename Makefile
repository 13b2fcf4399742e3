# Everything a person needs to build, run, test and ship noisetile. `make help` lists the targets.
#
#   V=1            show whole commands          BUILD=dir   build somewhere else than build/
#   CC=clang       another compiler             OPT=-O2     another optimisation
#   SANITIZE=address,undefined                  EXTRA=...   more compiler flags

BUILD    ?= build
OPT      ?= -O3
SANITIZE ?=
EXTRA    ?=
ifeq ($(origin CC),default)
CC := gcc
endif

# ---- Packages (Debian's names) ---------------------------------------------------------------------

PKG_BUILD   := gcc make pkg-config libc6-dev libmicrohttpd-dev libpng-dev libcjson-dev libdeflate-dev \
               nettle-dev
PKG_TEST    := $(PKG_BUILD) check libcurl4-openssl-dev zlib1g-dev clang
PKG_BROWSER := chromium $(if $(shell command -v npm),,nodejs npm)
PKG_ALLTEST := $(PKG_TEST) $(PKG_BROWSER)
PKG_LINT    := $(PKG_TEST) clang-format clang-tidy cppcheck shellcheck
PKG_SAN     := $(PKG_TEST) libclang-rt-14-dev
PKG_BENCH   := $(PKG_TEST) wrk nginx-light curl procps util-linux
PKG_CROSS   := $(PKG_BUILD) gcc-aarch64-linux-gnu gcc-s390x-linux-gnu libc6-dev-arm64-cross \
               libc6-dev-s390x-cross qemu-user
PKG_DOCKER  := buildah mmdebstrap podman runc catatonit curl

# Installs what is missing of $(1); without apt, says what is missing and stops.
define need
	@missing=; for p in $(1); do \
	  dpkg-query -W -f='$${db:Status-Status}' $$p 2>/dev/null | grep -qx installed || missing="$$missing $$p"; \
	done; \
	if [ -n "$$missing" ]; then \
	  if ! command -v apt-get >/dev/null; then \
	    echo "noisetile needs these packages (Debian's names), please install them:$$missing" >&2; exit 1; \
	  fi; \
	  sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	  echo "  APT    $$missing"; \
	  $$sudo apt-get update -qq && \
	  DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
	fi
endef

# ---- Flags -----------------------------------------------------------------------------------------

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion -Wstrict-prototypes \
        -Wmissing-prototypes -Wundef -Wvla -Wformat=2 -Wimplicit-fallthrough
# No contraction and no fast-math, ever: the bits of a tile are a promise.
BITS   := -ffp-contract=off
HARDEN := -fstack-protector-strong $(if $(SANITIZE),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
ifneq (,$(filter -O0,$(OPT)))
HARDEN := -fstack-protector-strong
endif

# gnu11, not c11: strict ISO mode makes gcc evaluate float as double on s390x (FLT_EVAL_METHOD 1).
PKGCONF  = $(shell pkg-config $(1) 2>/dev/null)
CFLAGS  += -std=gnu11 -g $(OPT) $(BITS) $(WARN) $(HARDEN) -fPIE -fno-math-errno -pthread -I. -MMD -MP \
           $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=all) $(EXTRA)
LDFLAGS += -pie -pthread -Wl,-z,relro,-z,now $(if $(SANITIZE),-fsanitize=$(SANITIZE))
# As they are for all: a target's own flags would reach the record of flags, and which of them would
# depend on the goal, so that the next goal would build everything again.
RECORD  := $(CC) $(CFLAGS) $(LDFLAGS)

# libdeflate statically: entity tags of gzip name the version that was built with, so no other may be
# loaded.
CORE_LIBS   = $(call PKGCONF,--libs libpng) -l:libdeflate.a -lm
SERVER_LIBS = $(call PKGCONF,--libs libmicrohttpd libcjson nettle)
TEST_LIBS   = $(call PKGCONF,--libs check libcurl zlib)

ifneq ($(V),1)
Q := @
say = @printf '  %-7s %s\n' '$(1)' '$(2)'
endif

# ---- Sources ---------------------------------------------------------------------------------------

# Kernels are compiled once per instruction level: perlin.c -> perlin.baseline.o, perlin.avx2.o.
KERNELS := core/rows.c core/noise/perlin.c core/noise/simplex.c core/noise/opensimplex2s.c \
           core/noise/value.c core/noise/cellular.c core/noise/white.c core/style/quantise.c \
           core/style/paint.c core/encode/filter.c core/encode/literals.c \
           core/encode/near.c
LEVELS  := baseline $(if $(findstring x86_64,$(shell $(CC) -dumpmachine 2>/dev/null)),avx2)
LEVEL_FLAGS_avx2 := -mavx2 -mbmi2

CORE_SRC   := $(filter-out $(KERNELS),$(wildcard core/*.c core/*/*.c))
SERVER_SRC := $(filter-out server/main.c,$(wildcard server/*.c)) $(wildcard config/*.c)
TEST_SRC   := $(wildcard tests/*.c tests/unit/*.c tests/e2e/*.c tests/support/*.c tests/golden/*.c)

obj        = $(patsubst %.c,$(BUILD)/%.o,$(1))
CORE_OBJ   = $(call obj,$(CORE_SRC)) $(foreach l,$(LEVELS),$(patsubst %.c,$(BUILD)/%.$(l).o,$(KERNELS)))
SERVER_OBJ = $(call obj,$(SERVER_SRC))
TEST_OBJ   = $(call obj,$(TEST_SRC))

.PHONY: all build run test test-long test-c test-browser variants hash_tiles references cross gallery \
        bench bench-readme soak lint sanitize install clean help docker-test all-objects
.DEFAULT_GOAL := build

build: $(BUILD)/noisetile ## build build/noisetile
all: build

$(BUILD)/noisetile: $(BUILD)/server/main.o $(BUILD)/libserver.a $(BUILD)/libnoisetile.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(SERVER_LIBS) $(CORE_LIBS)

$(BUILD)/libnoisetile.a: $(CORE_OBJ)
$(BUILD)/libserver.a: $(SERVER_OBJ)
$(BUILD)/%.a:
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcs $@ $^

# Counted by tests/support/allocations.c.
COUNTED := malloc calloc realloc aligned_alloc
$(BUILD)/tests/run: $(TEST_OBJ) $(BUILD)/libserver.a $(BUILD)/libnoisetile.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) $(COUNTED:%=-Wl,--wrap=%) -o $@ $^ $(TEST_LIBS) $(SERVER_LIBS) $(CORE_LIBS)

$(BUILD)/tests/%.o: CFLAGS += -D_GNU_SOURCE -DNOISETILE_BINARY='"$(abspath $(BUILD))/noisetile"' -DNOISETILE_BUILD='"$(abspath $(BUILD))"'
$(BUILD)/server/%.o $(BUILD)/config/%.o: CFLAGS += -D_GNU_SOURCE
# It calls kernels' inlined functions, as kernels are compiled.
$(BUILD)/tests/unit/test_simplices.o: CFLAGS += -Wno-psabi

# Vectors are passed to inlined functions only.
$(BUILD)/core/sphere.o: CFLAGS += -Wno-psabi

# The pages are part of the program; .incbin dependencies are not seen by -MMD.
$(BUILD)/server/web.o: $(wildcard server/web/*)

# $(1): instruction level
define kernel_rule
$(BUILD)/%.$(1).o: %.c $(BUILD)/flags
	$$(call say,CC,$$< ($(1)))
	@mkdir -p $$(@D)
	$(Q)$$(CC) $$(CFLAGS) -DNT_LEVEL=$(1) $(LEVEL_FLAGS_$(1)) -Wno-psabi -c -o $$@ $$<
endef
$(foreach l,$(LEVELS),$(eval $(call kernel_rule,$(l))))

$(BUILD)/%.o: %.c $(BUILD)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -c -o $@ $<

# Another compiler or other flags rebuild everything.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(RECORD)' | cmp -s - $@ || echo '$(RECORD)' >$@
FORCE:
.PHONY: FORCE

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

# ---- Run and install -------------------------------------------------------------------------------

PREFIX ?= /usr/local

packages-%:
	$(call need,$(PKG_$*))

run: packages-BUILD ## install what is missing, build, serve on 127.0.0.1:8080
	@$(MAKE) --no-print-directory build
	@printf '%s\n' 'Try, in another terminal or a browser:' \
	  '  http://127.0.0.1:8080/                                    a map to drag' \
	  '  http://127.0.0.1:8080/tile/3/2/5.png                      a tile' \
	  '  http://127.0.0.1:8080/tile/3/2/5@2x.png?noise=value&seed=7  another' \
	  '  http://127.0.0.1:8080/tile/3/2/5.json?size=4              its numbers' \
	  '  http://127.0.0.1:8080/params                              all parameters'
	@exec $(BUILD)/noisetile serve --listen 127.0.0.1:8080

install: build ## install to $(DESTDIR)$(PREFIX): program, example configuration, licence
	install -D -m 755 $(BUILD)/noisetile $(DESTDIR)$(PREFIX)/bin/noisetile
	install -D -m 644 config/noisetile.json $(DESTDIR)$(PREFIX)/share/noisetile/noisetile.json
	install -D -m 644 LICENSE $(DESTDIR)$(PREFIX)/share/doc/noisetile/LICENSE

# ---- Tests -----------------------------------------------------------------------------------------

# Promise 1 is tested on these: the core, built by each compiler at each optimisation.
VARIANTS     := gcc-O0 gcc-O2 gcc-O3 gcc-native clang-O0 clang-O2 clang-O3 clang-native
VARIANT_BINS := $(VARIANTS:%=$(BUILD)/variants/%/hash_tiles)
variant_opt   = $(if $(findstring native,$(1)),-O3 -march=native,-$(lastword $(subst -, ,$(1))))

$(VARIANT_BINS): $(BUILD)/variants/%/hash_tiles: FORCE
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/variants/$* CC=$(firstword $(subst -, ,$*)) \
	  OPT='$(call variant_opt,$*)' SANITIZE= hash_tiles

# One such build.
hash_tiles: $(BUILD)/hash_tiles
$(BUILD)/hash_tiles: $(BUILD)/tests/variants/hash_tiles.o $(BUILD)/libnoisetile.a
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(CORE_LIBS) $(call PKGCONF,--libs nettle)

variants: $(VARIANT_BINS)

test: ## install what is missing, build, run all tests
	@$(MAKE) --no-print-directory packages-ALLTEST
	@$(MAKE) --no-print-directory build variants $(BUILD)/tests/run
	@$(MAKE) --no-print-directory test-browser
	@$(BUILD)/tests/run

test-long: export NOISETILE_LONG = 1
test-long: test ## the same with ten times the samples

# npm's own record of what it installed tells whether the lock file is newer.
NODE_MODULES := tests/browser/node_modules/.package-lock.json
$(NODE_MODULES): tests/browser/package-lock.json
	$(call say,NPM,$<)
	$(Q)cd tests/browser && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null && \
	  touch node_modules/.package-lock.json

test-browser: $(BUILD)/noisetile $(NODE_MODULES)
	@cd tests/browser && NOISETILE_BINARY='$(abspath $(BUILD))/noisetile' \
	  NOISETILE_SCREENSHOTS='$(abspath $(BUILD))/screenshots' npm test --silent

# The C tests alone, without installing anything.
test-c: build variants $(BUILD)/tests/run
	@$(BUILD)/tests/run

# The bytes of the reference requests, without any library: for other machines.
references: $(BUILD)/references
$(BUILD)/references: $(BUILD)/tests/variants/references.o $(BUILD)/server/references.o \
                     $(filter-out $(BUILD)/core/encode/gzip.o $(BUILD)/core/encode/frame.o,$(CORE_OBJ))
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ -lm

cross: packages-CROSS build ## the same bits on arm64, s390x and x86-64 without AVX2
	@tests/variants/cross.sh $(BUILD)

docker-test: packages-DOCKER ## build the image, run it, fetch a tile from it (no Docker engine needed)
	@tests/docker/run.sh

gallery: $(BUILD)/gallery ## render every kind with every fractal into build/gallery.png
	@$(BUILD)/gallery $(BUILD)/gallery.png && echo $(BUILD)/gallery.png
$(BUILD)/gallery: $(BUILD)/tests/gallery/gallery.o $(BUILD)/libnoisetile.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(CORE_LIBS)

# BENCH_JSON=file: the figures as data, too. BENCH_ONLY='fill http': only these parts (tests/bench/run.sh
# lists them). BENCH_SECONDS=1: shorter measurements of the server.
BENCH_PROGRAMS := $(BUILD)/tests/bench/bench $(BUILD)/tests/bench/open_loop
bench: packages-BENCH ## measure against baselines in the same run, under 3 minutes; BENCH_JSON=file
	@$(MAKE) --no-print-directory build $(BENCH_PROGRAMS)
	@tests/bench/run.sh $(BUILD)

bench-readme: ## the figures of the last make bench into README.md
	@tests/bench/readme.sh $(BUILD)

soak: packages-BENCH ## a million mixed requests: the server's memory must not grow
	@$(MAKE) --no-print-directory build
	@tests/bench/soak.sh $(BUILD)

# Whatever we are built with, the baseline is built for this machine.
$(BUILD)/tests/bench/scalar.o: CFLAGS += -O3 -march=native

BENCH_OBJ := $(patsubst %,$(BUILD)/tests/bench/%.o,bench curves fill formats job png rows scalar timing)
$(BUILD)/tests/bench/bench: $(BENCH_OBJ) $(BUILD)/libnoisetile.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(CORE_LIBS)

$(BUILD)/tests/bench/open_loop: $(BUILD)/tests/bench/open_loop.o
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^

# ---- Checks ----------------------------------------------------------------------------------------

SOURCES := $(wildcard core/*.[ch] core/*/*.[ch] server/*.[ch] config/*.[ch] tests/*.[ch] tests/*/*.[ch])
SCRIPTS := $(wildcard tests/*/*.sh)

lint: packages-LINT ## format, warnings as errors under gcc and clang, include arrows, README tables, analysers
	@echo '  FORMAT'  && clang-format --dry-run -Werror $(SOURCES)
	@echo '  ARROWS'  && tests/lint/arrows.sh
	@echo '  SHELL'   && shellcheck $(SCRIPTS) .ci/run
	@for cc in gcc clang; do \
	  $(MAKE) --no-print-directory BUILD=$(BUILD)/lint-$$cc CC=$$cc EXTRA=-Werror all-objects || exit 1; done
	@echo '  README'  && tests/lint/readme.sh $(BUILD)/lint-gcc/noisetile
	@echo '  EXAMPLES' && tests/lint/examples.sh $(BUILD)/lint-gcc/noisetile
	@echo '  CPPCHECK' && cppcheck --quiet --error-exitcode=1 --inline-suppr --std=c11 -j 2 -I. -DNT_LEVEL=baseline \
	  --enable=warning,performance,portability --suppress=missingIncludeSystem core server config
	@echo '  TIDY'    && printf '%s\n' $(filter %.c,$(filter core/% server/% config/%,$(SOURCES))) | \
	  xargs -P 2 -n 4 sh -c 'clang-tidy --quiet "$$@" -- -std=c11 -I. -D_GNU_SOURCE -DNT_LEVEL=baseline 2>/dev/null || \
	  { clang-tidy --quiet "$$@" -- -std=c11 -I. -D_GNU_SOURCE -DNT_LEVEL=baseline; exit 255; }' tidy

all-objects: build $(BUILD)/tests/run $(BENCH_PROGRAMS) $(BUILD)/hash_tiles

sanitize: packages-SAN ## all C tests under ASan and UBSan, the concurrent ones under TSan
	@$(MAKE) --no-print-directory variants
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/asan OPT=-O1 SANITIZE=address,undefined,float-cast-overflow build $(BUILD)/asan/tests/run
	@rm -rf $(BUILD)/asan/variants && ln -s ../variants $(BUILD)/asan/variants
	@$(BUILD)/asan/tests/run e2e & e2e=$$!; $(BUILD)/asan/tests/run unit; unit=$$?; \
	  wait $$e2e && exit $$unit
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/tsan OPT=-O1 SANITIZE=thread build $(BUILD)/tsan/tests/run
	@for suite in cache pool poller log server; do CK_RUN_SUITE=$$suite $(BUILD)/tsan/tests/run || exit 1; done

clean: ## remove what was built
	rm -rf $(BUILD)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
