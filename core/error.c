/* error.c - fills struct nt_error. The words are the caller's; this file only cuts them to fit. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/internal.h"

static void copy_cut(char *to, size_t cap, const char *from, size_t len)
{
    if (len >= cap)
        len = cap - 1;
    memcpy(to, from, len);
    to[len] = '\0';
}

enum nt_status nt_fail(struct nt_error *err, enum nt_status status, const char *parameter,
                       const char *value, size_t value_len, const char *format, ...)
{
    va_list args;

    memset(err, 0, sizeof *err);
    err->status = status;
    if (parameter)
        copy_cut(err->parameter, sizeof err->parameter, parameter, strlen(parameter));
    err->has_value = value != NULL;
    if (value)
        copy_cut(err->value, sizeof err->value, value, value_len);
    va_start(args, format);
    vsnprintf(err->detail, sizeof err->detail, format, args);
    va_end(args);
    return status;
}

void nt_list_add(char *list, size_t cap, const char *name)
{
    size_t used = strlen(list);

    if (used + strlen(name) + 2 > cap)
        return;
    snprintf(list + used, cap - used, "%s%s", used ? " " : "", name);
}
