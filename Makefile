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
PKG_LINT    := $(PKG_TEST) clang-format clang-tidy cppcheck shellcheck
PKG_SAN     := $(PKG_TEST) libclang-rt-14-dev
PKG_BENCH   := $(PKG_TEST) wrk nginx-light
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

PKGCONF  = $(shell pkg-config $(1) 2>/dev/null)
CFLAGS  += -std=c11 -g $(OPT) $(BITS) $(WARN) $(HARDEN) -fPIE -fno-math-errno -pthread -I. -MMD -MP \
           $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=all) $(EXTRA)
LDFLAGS += -pie -pthread -Wl,-z,relro,-z,now $(if $(SANITIZE),-fsanitize=$(SANITIZE))

CORE_LIBS   = $(call PKGCONF,--libs libpng libdeflate) -lm
SERVER_LIBS = $(call PKGCONF,--libs libmicrohttpd libcjson nettle)
TEST_LIBS   = $(call PKGCONF,--libs check libcurl zlib)

ifneq ($(V),1)
Q := @
say = @printf '  %-7s %s\n' '$(1)' '$(2)'
endif

# ---- Sources ---------------------------------------------------------------------------------------

# Kernels are compiled once per instruction level: perlin.c -> perlin.baseline.o, perlin.avx2.o.
KERNELS := core/rows.c core/noise/perlin.c core/noise/value.c
LEVELS  := baseline $(if $(findstring x86_64,$(shell $(CC) -dumpmachine 2>/dev/null)),avx2)
LEVEL_FLAGS_avx2 := -mavx2

CORE_SRC   := $(filter-out $(KERNELS),$(wildcard core/*.c core/*/*.c))
SERVER_SRC := $(filter-out server/main.c,$(wildcard server/*.c)) $(wildcard config/*.c)
TEST_SRC   := $(wildcard tests/*.c tests/unit/*.c tests/e2e/*.c tests/support/*.c tests/golden/*.c)

obj        = $(patsubst %.c,$(BUILD)/%.o,$(1))
CORE_OBJ   = $(call obj,$(CORE_SRC)) $(foreach l,$(LEVELS),$(patsubst %.c,$(BUILD)/%.$(l).o,$(KERNELS)))
SERVER_OBJ = $(call obj,$(SERVER_SRC))
TEST_OBJ   = $(call obj,$(TEST_SRC))

.PHONY: all build run test test-long bench lint sanitize install clean help docker-test
.DEFAULT_GOAL := build

build: $(BUILD)/noisetile ## build build/noisetile
all: build

$(BUILD)/noisetile: $(BUILD)/server/main.o $(SERVER_OBJ) $(BUILD)/libnoisetile.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(SERVER_LIBS) $(CORE_LIBS)

$(BUILD)/libnoisetile.a: $(CORE_OBJ)
	$(call say,AR,$@)
	$(Q)rm -f $@ && ar rcs $@ $^

$(BUILD)/tests/run: $(TEST_OBJ) $(SERVER_OBJ) $(BUILD)/libnoisetile.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(TEST_LIBS) $(SERVER_LIBS) $(CORE_LIBS)

$(BUILD)/tests/%.o: CFLAGS += -D_GNU_SOURCE -DNOISETILE_BINARY='"$(abspath $(BUILD))/noisetile"' -DNOISETILE_BUILD='"$(abspath $(BUILD))"'
$(BUILD)/server/%.o $(BUILD)/config/%.o: CFLAGS += -D_GNU_SOURCE

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
	@echo '$(CC) $(CFLAGS) $(LDFLAGS)' | cmp -s - $@ || echo '$(CC) $(CFLAGS) $(LDFLAGS)' >$@
FORCE:
.PHONY: FORCE

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

clean: ## remove what was built
	rm -rf $(BUILD)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
