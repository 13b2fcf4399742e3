/* web.h - the files of server/web/ as they are, made part of the program. */
#ifndef WEB_H
#define WEB_H

#include <stdbool.h>
#include <stddef.h>

struct web_file {
    const char *media_type;
    const unsigned char *data; /* static */
    size_t len;
};

/* False if there is no file called name ("index.html"). Any thread. */
bool web_find(const char *name, struct web_file *file);

#endif
