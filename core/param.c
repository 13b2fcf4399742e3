/*
 * param.c - the types of value that a row of the parameter table can have: how each is kept in
 * struct nt_spec, parsed, checked against its range and written. A new type is a row of `types`.
 * Next: spec.c.
 */
#include "core/param.h"

#include <stdio.h>
#include <string.h>

#include "core/style/ramp.h"

/* What a value's text was found to be. */
enum judgement { GOOD, MALFORMED, TOO_SMALL, OUT_OF_RANGE };

struct type {
    const char *name, *noun; /* as in /params; as in an error */
    size_t size;             /* of the field */
    size_t compared;         /* bytes of it that tell the default from all others */
    enum judgement (*parse)(const struct nt_param *param, const char *text, size_t len,
                            union nt_value *value);
    void (*text)(const struct nt_param *param, const union nt_value *value, char *text);
    void (*start)(const struct nt_param *param, union nt_value *value);
};

static enum judgement judge(enum nt_number result, bool in_range)
{
    switch (result) {
    case NT_NUMBER_MALFORMED:
        return MALFORMED;
    case NT_NUMBER_TOO_SMALL:
        return TOO_SMALL;
    case NT_NUMBER_TOO_LARGE:
        return OUT_OF_RANGE;
    case NT_NUMBER_OK:
        break;
    }
    return in_range ? GOOD : OUT_OF_RANGE;
}

/* ---- Whole numbers --------------------------------------------------------------------------- */

static enum judgement parse_integer(const struct nt_param *param, const char *text, size_t len,
                                    union nt_value *value)
{
    enum nt_number result = nt_integer_parse(text, len, &value->whole);

    return judge(result, value->whole >= param->whole.min && value->whole <= param->whole.max);
}

static void text_integer(const struct nt_param *param, const union nt_value *value, char *text)
{
    (void)param;
    nt_integer_text(value->whole, text);
}

static void start_integer(const struct nt_param *param, union nt_value *value)
{
    value->whole = param->whole.start;
}

/* ---- Decimal numbers, and pairs of them ------------------------------------------------------ */

static enum judgement parse_real(const struct nt_param *param, const char *text, size_t len,
                                 union nt_value *value)
{
    double real = 0;
    enum nt_number result = nt_real_parse(text, len, &real);

    value->real = real;
    return judge(result, (param->min_excluded ? real > param->real.min : real >= param->real.min) &&
                             real <= param->real.max);
}

static void text_real(const struct nt_param *param, const union nt_value *value, char *text)
{
    (void)param;
    nt_double_text(value->real, text);
}

static void start_real(const struct nt_param *param, union nt_value *value)
{
    value->real = param->real.start[0];
}

/* Two different numbers with a comma between them. */
static enum judgement parse_pair(const struct nt_param *param, const char *text, size_t len,
                                 union nt_value *value)
{
    const char *comma = memchr(text, ',', len);
    union nt_value first = {0}, second = {0};
    enum judgement result;

    if (!comma)
        return MALFORMED;
    result = parse_real(param, text, (size_t)(comma - text), &first);
    if (result == GOOD)
        result = parse_real(param, comma + 1, len - (size_t)(comma - text) - 1, &second);
    value->pair[0] = first.real;
    value->pair[1] = second.real;
    return result == GOOD && first.real == second.real ? OUT_OF_RANGE : result;
}

static void text_pair(const struct nt_param *param, const union nt_value *value, char *text)
{
    size_t len = nt_double_text(value->pair[0], text);

    (void)param;
    text[len] = ',';
    nt_double_text(value->pair[1], text + len + 1);
}

static void start_pair(const struct nt_param *param, union nt_value *value)
{
    memcpy(value->pair, param->real.start, sizeof value->pair);
}

/* ---- Names and ramps ------------------------------------------------------------------------- */

static enum judgement parse_choice(const struct nt_param *param, const char *text, size_t len,
                                   union nt_value *value)
{
    for (int i = 0; param->choices[i]; i++) {
        if (strlen(param->choices[i]) == len && memcmp(param->choices[i], text, len) == 0) {
            value->choice = i;
            return GOOD;
        }
    }
    return MALFORMED;
}

static void text_choice(const struct nt_param *param, const union nt_value *value, char *text)
{
    snprintf(text, NT_VALUE_TEXT_MAX, "%s", param->choices[value->choice]);
}

static void start_choice(const struct nt_param *param, union nt_value *value)
{
    value->choice = param->first;
}

static enum judgement parse_ramp(const struct nt_param *param, const char *text, size_t len,
                                 union nt_value *value)
{
    (void)param;
    return nt_ramp_parse(text, len, &value->ramp) ? MALFORMED : GOOD;
}

static void text_ramp(const struct nt_param *param, const union nt_value *value, char *text)
{
    (void)param;
    nt_ramp_text(&value->ramp, text);
}

static void start_ramp(const struct nt_param *param, union nt_value *value)
{
    memset(&value->ramp, 0, sizeof value->ramp);
    value->ramp.named = param->first;
}

static const struct type types[] = {
    [NT_INTEGER] = {"integer", "a whole number", sizeof(int64_t), sizeof(int64_t), parse_integer,
                    text_integer, start_integer},
    [NT_REAL] = {"number", "a decimal number", sizeof(double), sizeof(double), parse_real,
                 text_real, start_real},
    [NT_CHOICE] = {"choice", "one of", sizeof(int), sizeof(int), parse_choice, text_choice,
                   start_choice},
    [NT_PAIR] = {"numbers", "two different decimal numbers with a comma between them, each",
                 2 * sizeof(double), 2 * sizeof(double), parse_pair, text_pair, start_pair},
    [NT_RAMP] = {"ramp",
                 "two to 64 stops of ascending positions, such as 0:000000,1:ffffff80, or one of",
                 sizeof(struct nt_ramp), sizeof(int) /* a named one */, parse_ramp, text_ramp,
                 start_ramp},
};

const char *nt_type_name(enum nt_type type)
{
    return types[type].name;
}

/* ---- Fields ---------------------------------------------------------------------------------- */

void nt_param_get(const struct nt_param *param, const struct nt_spec *spec, union nt_value *value)
{
    memcpy(value, (const char *)spec + param->offset, types[param->type].size);
}

void nt_param_put(const struct nt_param *param, struct nt_spec *spec, const union nt_value *value)
{
    memcpy((char *)spec + param->offset, value, types[param->type].size);
}

void nt_param_default(const struct nt_param *param, const struct nt_spec *spec,
                      union nt_value *value)
{
    if (!param->start_of || !param->start_of(spec, value))
        types[param->type].start(param, value);
}

bool nt_param_is_default(const struct nt_param *param, const struct nt_spec *spec)
{
    union nt_value value;

    if (param->no_default)
        return !nt_param_is_given(param, spec);
    nt_param_default(param, spec, &value);
    return memcmp(&value, (const char *)spec + param->offset, types[param->type].compared) == 0;
}

void nt_param_text(const struct nt_param *param, const union nt_value *value, char *text)
{
    types[param->type].text(param, value, text);
}

/* ---- Refusal --------------------------------------------------------------------------------- */

void nt_param_choices_text(const struct nt_param *param, char *list, size_t cap)
{
    list[0] = '\0';
    for (int i = 0; param->choices[i]; i++)
        nt_list_add(list, cap, param->choices[i]);
}

void nt_param_range_text(const struct nt_param *param, char *min, char *max)
{
    if (param->type == NT_INTEGER) {
        nt_integer_text(param->whole.min, min);
        nt_integer_text(param->whole.max, max);
    } else {
        nt_double_text(param->real.min, min);
        nt_double_text(param->real.max, max);
    }
}

enum nt_status nt_param_refuse(const struct nt_param *param, const char *value, size_t len,
                               const char *why, struct nt_error *err)
{
    const char *noun = types[param->type].noun;

    nt_fail(err, NT_BAD_PARAMETER, param->name, value, len, "%s", "");
    if (param->choices) {
        nt_param_choices_text(param, err->allowed, sizeof err->allowed);
        snprintf(err->detail, sizeof err->detail, "%s %s: it is %s %s", param->name, why, noun,
                 err->allowed);
        return NT_BAD_PARAMETER;
    }
    nt_param_range_text(param, err->min, err->max);
    snprintf(err->detail, sizeof err->detail, "%s %s: it is %s %s %s%s to %s", param->name, why,
             noun, param->min_excluded ? "above" : "from", err->min,
             param->min_excluded ? ", up" : "", err->max);
    return NT_BAD_PARAMETER;
}

enum nt_status nt_param_parse(const struct nt_param *param, const char *text, size_t len,
                              union nt_value *value, struct nt_error *err)
{
    if (len == 0)
        return nt_param_refuse(param, text, len, "is empty", err);
    switch (types[param->type].parse(param, text, len, value)) {
    case MALFORMED:
        return nt_param_refuse(
            param, text, len, param->type == NT_CHOICE ? "has no such value" : "is malformed", err);
    case TOO_SMALL:
        return nt_param_refuse(param, text, len, "is too small to be told from 0", err);
    case OUT_OF_RANGE:
        return nt_param_refuse(param, text, len, "is out of range", err);
    case GOOD:
        break;
    }
    return NT_OK;
}
