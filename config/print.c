/*
 * print.c - the options for people: with their values, as help, as the README's table.
 */
#include "config/option.h"

#include <string.h>

static void grow_to(int *width, const char *text)
{
    if ((int)strlen(text) > *width)
        *width = (int)strlen(text);
}

void config_print(const struct config *config, FILE *out)
{
    const struct config_option *option;
    char value[CONFIG_TEXT_MAX], name[CONFIG_SPELLED_MAX], path[CONFIG_PATH_MAX];
    int key_width = 0, value_width = 0;
    for (size_t row = 0; (option = config_option(row)) != NULL; row++) {
        config_format(value, config, option);
        grow_to(&key_width, option->key);
        grow_to(&value_width, value);
    }
    config_show(path, sizeof path, config->file, strlen(config->file));
    static const char *const sources[] = {"default", "file ", "environment ", "flag "};
    for (size_t row = 0; (option = config_option(row)) != NULL; row++) {
        enum config_source source = config->source[row];
        config_format(value, config, option);
        config_spell(name, source, option->key);
        fprintf(out, "%-*s = %-*s   (%s%s)\n", key_width, option->key, value_width, value,
                sources[source],
                source == CONFIG_DEFAULT ? ""
                : source == CONFIG_FILE  ? path
                                         : name);
    }
}

void config_help(FILE *out)
{
    const struct config_option *option;
    char flag[CONFIG_SPELLED_MAX], allowed[CONFIG_ALLOWED_MAX];
    int flag_width = 0, default_width = (int)strlen("default"), allowed_width = 0;
    for (size_t row = 0; (option = config_option(row)) != NULL; row++) {
        config_spell(flag, CONFIG_FLAG, option->key);
        config_describe_allowed(allowed, option);
        grow_to(&flag_width, flag);
        grow_to(&default_width, option->fallback);
        grow_to(&allowed_width, allowed);
    }
    static const char format[] = "  %-*s  %-*s  %-*s  %s\n";
    fprintf(out, format, flag_width, "flag", default_width, "default", allowed_width, "allowed",
            "meaning");
    for (size_t row = 0; (option = config_option(row)) != NULL; row++) {
        config_spell(flag, CONFIG_FLAG, option->key);
        config_describe_allowed(allowed, option);
        fprintf(out, format, flag_width, flag, default_width, option->fallback, allowed_width,
                allowed, option->help);
    }
    config_spell(flag, CONFIG_FLAG, config_file_key);
    fprintf(out, format, flag_width, flag, default_width, "", allowed_width, "PATH",
            config_file_help);
    fputs("\nEach is a variable too (NOISETILE_QUEUE_WAIT for --queue-wait, NOISETILE_CONFIG for\n"
          "--config) and a key of the file (queue_wait). Flags win over the environment, the\n"
          "environment over the file.\n",
          out);
}

void config_markdown(FILE *out)
{
    const struct config_option *option;
    char variable[CONFIG_SPELLED_MAX], flag[CONFIG_SPELLED_MAX], allowed[CONFIG_ALLOWED_MAX];
    fputs("| file key | environment | flag | default | allowed | meaning |\n"
          "|---|---|---|---|---|---|\n",
          out);
    for (size_t row = 0; (option = config_option(row)) != NULL; row++) {
        config_spell(variable, CONFIG_ENVIRONMENT, option->key);
        config_spell(flag, CONFIG_FLAG, option->key);
        config_describe_allowed(allowed, option);
        fprintf(out, "| `%s` | `%s` | `%s` | `%s` | %s | %s |\n", option->key, variable, flag,
                option->fallback, allowed, option->help);
    }
    config_spell(variable, CONFIG_ENVIRONMENT, config_file_key);
    config_spell(flag, CONFIG_FLAG, config_file_key);
    fprintf(out, "| | `%s` | `%s` | no file | a path | %s |\n", variable, flag, config_file_help);
}
