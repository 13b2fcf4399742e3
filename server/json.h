/* json.h - what the writers of JSON documents share, on top of cJSON. */
#ifndef JSON_H
#define JSON_H

#include <cjson/cJSON.h>
#include <stddef.h>

/* A canonical number as it is: a double would lose digits of a 64-bit integer. "" adds nothing. */
void json_add_number(cJSON *object, const char *key, const char *text);

/* An array of the words in a list with one space between them. "" adds nothing. */
void json_add_words(cJSON *object, const char *key, const char *words);

/* The text, malloc'ed, with a newline at its end; deletes the object. NULL if out of memory. */
char *json_print(cJSON *object, size_t *len);

#endif
