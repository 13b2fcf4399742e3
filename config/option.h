/*
 * option.h - what config's own files know of an option: how it is spelled in each place, and the
 * way from text or JSON to a field of struct config and back. option.c has the table; load.c and
 * print.c are the users. Everybody else: config.h.
 */
#ifndef CONFIG_OPTION_H
#define CONFIG_OPTION_H

#include "config/config.h"

#include <cjson/cJSON.h>

enum {
    CONFIG_SPELLED_MAX = 64,  /* bytes of an option's name in any spelling */
    CONFIG_ALLOWED_MAX = 256, /* bytes of what an option takes, for people */
    CONFIG_NO_ROW = CONFIG_OPTIONS_MAX
};

/* Not a row: it names the place that rows are read from, so it can't stand in there itself. */
extern const char config_file_key[], config_file_help[];

/* What the names of variables begin with. */
extern const char config_prefix[];

/* ---- Names ----------------------------------------------------------------------------------- */

/* How a key is spelled in each place: queue_wait, NOISETILE_QUEUE_WAIT, --queue-wait. */
void config_spell(char out[CONFIG_SPELLED_MAX], enum config_source place, const char *key);

/* Whether the len bytes at name are how `place` spells the key. */
bool config_is_spelled(const char *name, size_t len, enum config_source place, const char *key);

/* The option that `place` spells so, or CONFIG_NO_ROW. */
size_t config_find_row(const char *name, size_t len, enum config_source place);

/* What an option takes, for people: "1 to 600000 (ms)", "auto, baseline, avx2". */
void config_describe_allowed(char out[CONFIG_ALLOWED_MAX], const struct config_option *option);

/* Foreign text as printable ASCII, bytes of other kinds as \xNN; too long a text ends in "...". */
void config_show(char *out, size_t size, const char *text, size_t len);

/* ---- Values ---------------------------------------------------------------------------------- */

enum config_verdict { CONFIG_FINE, CONFIG_MALFORMED, CONFIG_OUT_OF_RANGE, CONFIG_TOO_LONG };

/* A value that was read but not stored yet. */
struct config_value {
    int64_t integer;  /* or index of the name */
    const char *text; /* of a text option, borrowed */
};

/* A value as flags, the environment and the table's defaults spell it; *value counts if FINE. */
enum config_verdict config_parse_text(const struct config_option *option, const char *text,
                                      struct config_value *value);

/* The same as the file spells it. */
enum config_verdict config_parse_json(const struct config_option *option, const cJSON *item,
                                      struct config_value *value);

/* Puts a value that was found FINE into its field. */
void config_store(struct config *config, const struct config_option *option,
                  struct config_value value);

/* The field as config_parse_text takes it. */
void config_format(char out[CONFIG_TEXT_MAX], const struct config *config,
                   const struct config_option *option);

#endif
