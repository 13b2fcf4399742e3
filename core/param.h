/*
 * param.h - one row of the parameter table, and the types of value a row can have. spec.c has the
 * table, param.c the types, query.c the way from a request's text to the rows.
 */
#ifndef NT_PARAM_H
#define NT_PARAM_H

#include "core/internal.h"
#include "core/number.h"

/* A value of any type. */
union nt_value {
    int64_t whole;
    double real;
    double pair[2];
    int choice;
    struct nt_ramp ramp;
};

struct nt_param {
    const char *name, *alias;
    enum nt_type type;
    enum nt_group group;
    size_t offset; /* of the field in struct nt_spec, whose C type follows from `type` */
    struct {
        int64_t min, max, start; /* start is the default */
    } whole;
    struct {
        double min, max, start[2]; /* numbers and pairs */
    } real;
    int first; /* choices and ramps: the default */
    bool min_excluded, no_default;
    const char *const *choices; /* names by value, NULL at the end */
    unsigned needs;             /* abilities that a kind must have for this row to be of use */
    /* The default where it depends on the rest: false if it does not. */
    bool (*start_of)(const struct nt_spec *spec, union nt_value *value);
    /* Name of the parameter whose value has no use for this one, or NULL if it is used. */
    const char *(*unused_by)(const struct nt_spec *spec);
    const char *help;
};

/* ---- The table (spec.c) ---------------------------------------------------------------------- */

const struct nt_param *nt_param_find(const char *name, size_t len); /* NULL if there is none */
bool nt_param_is_given(const struct nt_param *param, const struct nt_spec *spec);
void nt_param_mark_given(const struct nt_param *param, struct nt_spec *spec);
bool nt_param_serves(const struct nt_param *param, enum nt_purpose purpose);
void nt_param_names(enum nt_purpose purpose, char *list, size_t cap);

/* ---- Types (param.c) ------------------------------------------------------------------------- */

/* A ramp of 64 stops, each "0.0000012345678901234567:rrggbbaa,", is the longest. */
enum { NT_VALUE_TEXT_MAX = 2304 };

void nt_param_get(const struct nt_param *param, const struct nt_spec *spec, union nt_value *value);
void nt_param_put(const struct nt_param *param, struct nt_spec *spec, const union nt_value *value);
void nt_param_default(const struct nt_param *param, const struct nt_spec *spec,
                      union nt_value *value);
bool nt_param_is_default(const struct nt_param *param, const struct nt_spec *spec);

/* Canonical text of a value into text[NT_VALUE_TEXT_MAX]. */
void nt_param_text(const struct nt_param *param, const union nt_value *value, char *text);

/*
 * Parses and checks the range; refuses in words that name the row, the value and what is allowed.
 */
enum nt_status nt_param_parse(const struct nt_param *param, const char *text, size_t len,
                              union nt_value *value, struct nt_error *err);

/* The refusal itself: `why` is "is malformed" or the like. */
enum nt_status nt_param_refuse(const struct nt_param *param, const char *value, size_t len,
                               const char *why, struct nt_error *err);

void nt_param_range_text(const struct nt_param *param, char *min, char *max);
void nt_param_choices_text(const struct nt_param *param, char *list, size_t cap);

#endif
