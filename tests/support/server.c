/*
 * server.c - see server.h. Output goes to nameless files instead of pipes: they never fill up, and
 * a test that Check forked reads the same file as the process that started the server.
 */
#include "tests/support/server.h"

#include <arpa/inet.h>
#include <check.h>
#include <cjson/cJSON.h>
#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    PATIENCE_S = 30,     /* for a start, a stop, an answer: sanitizers and busy machines are slow */
    LOG_PATIENCE_S = 10, /* for a log line */
    WORDS_MAX = 64,      /* arguments of a command */
    ENVIRONMENT_MAX = 4096,
    PATH_MAX_BYTES = 64 * 1024, /* of get()'s path */
    SHOWN_LOG = 3000,           /* bytes of log in a failure message; Check's own limit is 8192 */
    ANSWER_MAX = 1 << 28,       /* bytes of an answer: more is a fault */
};

extern char **environ;

double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void pause_briefly(void)
{
    nanosleep(&(struct timespec){0, 2000000}, NULL);
}

/* ---- Nameless files -------------------------------------------------------------------------- */

static int nameless_file(void)
{
    int fd = memfd_create("noisetile-test", MFD_CLOEXEC);

    ck_assert_msg(fd >= 0, "memfd_create: %s", strerror(errno));
    return fd;
}

/* All bytes and a NUL, malloc'ed; the file's own position is the writer's and stays. */
static char *read_whole(int fd, size_t *len)
{
    struct stat status;
    char *bytes;
    ssize_t n;

    ck_assert_int_eq(fstat(fd, &status), 0);
    bytes = malloc((size_t)status.st_size + 1);
    ck_assert_ptr_nonnull(bytes);
    n = pread(fd, bytes, (size_t)status.st_size, 0);
    ck_assert_int_ge(n, 0);
    bytes[n] = '\0';
    if (len != NULL)
        *len = (size_t)n;
    return bytes;
}

/* ---- Starting -------------------------------------------------------------------------------- */

struct launch {
    char *words[WORDS_MAX]; /* argv, NULL behind the last */
    char *environment[ENVIRONMENT_MAX];
    int out, err;
};

static void add_word(char **words, size_t max, const char *word)
{
    size_t n = 0;

    while (words[n] != NULL)
        n++;
    ck_assert_uint_lt(n + 1, max);
    words[n] = (char *)(uintptr_t)word; /* execve's type is an old mistake: it changes nothing */
}

/* "NAME=value" words in front go to the environment, the others behind what argv has. */
static void add_words(struct launch *launch, const char *first, va_list rest)
{
    const char *word = first;

    for (; word != NULL && *word != '-' && strchr(word, '=') != NULL; word = va_arg(rest, char *))
        add_word(launch->environment, ENVIRONMENT_MAX, word);
    for (; word != NULL; word = va_arg(rest, char *))
        add_word(launch->words, WORDS_MAX, word);
}

static void inherit_environment(struct launch *launch)
{
    for (char **name = environ; *name != NULL; name++)
        if (strncmp(*name, "NOISETILE_", 10) != 0)
            add_word(launch->environment, ENVIRONMENT_MAX, *name);
}

/* In the child: only calls that are safe after a fork of a process with threads. */
_Noreturn static void become(const struct launch *launch, pid_t parent)
{
    sigset_t none;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
        _exit(126);
    if (dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO) >= 0 &&
        dup2(launch->out, STDOUT_FILENO) >= 0 && dup2(launch->err, STDERR_FILENO) >= 0)
        execve(NOISETILE_BINARY, launch->words, launch->environment);
    _exit(127);
}

static pid_t launch_start(struct launch *launch)
{
    pid_t parent = getpid(), child;

    launch->out = nameless_file();
    launch->err = nameless_file();
    child = fork();
    ck_assert_msg(child >= 0, "fork: %s", strerror(errno));
    if (child == 0)
        become(launch, parent);
    return child;
}

/* The exit status, or -1 if the process has not ended in time. Waits for no other process. */
static int wait_for_end(pid_t pid, double seconds)
{
    double end = seconds_now() + seconds;
    int status;

    for (;;) {
        pid_t ended = waitpid(pid, &status, WNOHANG);

        ck_assert_msg(ended >= 0, "waitpid %d: %s", (int)pid, strerror(errno));
        if (ended == pid)
            return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        if (seconds_now() >= end)
            return -1;
        pause_briefly();
    }
}

/* ---- The server's life ----------------------------------------------------------------------- */

char *server_log(struct server *server)
{
    return read_whole(server->err, NULL);
}

/* Fails the test, the log's end with it. */
static void fail_with_log(const struct server *server, const char *what)
{
    char *log = read_whole(server->err, NULL);
    size_t len = strlen(log);

    ck_abort_msg("%s; the server's log ends:\n%s", what,
                 len > SHOWN_LOG ? log + len - SHOWN_LOG : log);
}

static bool read_first_line(struct server *server)
{
    static const char form[] = "listening on http://127.0.0.1:";
    char *text = read_whole(server->out, NULL);
    char *newline = strchr(text, '\n'), *end = NULL;

    if (newline == NULL) {
        free(text);
        return false;
    }
    if (strncmp(text, form, sizeof form - 1) == 0)
        server->port = (int)strtol(text + sizeof form - 1, &end, 10);
    if (end != newline || server->port <= 0)
        fail_with_log(server, "the first line does not tell the address");
    free(text);
    return true;
}

static void wait_for_first_line(struct server *server)
{
    double end = seconds_now() + PATIENCE_S;

    while (!read_first_line(server)) {
        if (wait_for_end(server->pid, 0) != -1)
            fail_with_log(server, "the server did not start");
        if (seconds_now() >= end) {
            kill(server->pid, SIGKILL);
            fail_with_log(server, "the server does not say where it listens");
        }
        pause_briefly();
    }
}

struct server server_start(const char *first, ...)
{
    struct launch launch = {.words = {NOISETILE_BINARY, "serve", "--listen", "127.0.0.1:0"}};
    struct server server = {.status = -1};
    va_list rest;

    inherit_environment(&launch);
    va_start(rest, first);
    add_words(&launch, first, rest);
    va_end(rest);
    server.pid = launch_start(&launch);
    server.out = launch.out;
    server.err = launch.err;
    wait_for_first_line(&server);
    snprintf(server.base, sizeof server.base, "http://127.0.0.1:%d", server.port);
    return server;
}

void server_signal(const struct server *server, int signal)
{
    if (server->pid > 0)
        kill(server->pid, signal);
}

int server_wait(struct server *server, double seconds)
{
    if (server->pid > 0) {
        server->status = wait_for_end(server->pid, seconds);
        if (server->status != -1)
            server->pid = 0;
    }
    return server->status;
}

int server_stop(struct server *server)
{
    server_signal(server, SIGTERM);
    if (server_wait(server, PATIENCE_S) == -1) {
        server_signal(server, SIGKILL);
        server_wait(server, PATIENCE_S);
        fail_with_log(server, "the server did not stop in time");
    }
    return server->status;
}

/* By its state in /proc: whoever asks need not be its parent, and a zombie is dead. */
bool server_alive(const struct server *server)
{
    char path[64], state = 'X';
    FILE *file;

    if (server->pid <= 0)
        return false;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)server->pid);
    file = fopen(path, "re");
    if (file == NULL)
        return false;
    if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
        state = 'X';
    fclose(file);
    return state != 'Z' && state != 'X';
}

static char *find_line(struct server *server, const char *text)
{
    char *log = server_log(server), *line = log, *found = NULL, *next;

    for (; found == NULL && (next = strchr(line, '\n')) != NULL; line = next + 1) {
        *next = '\0';
        if (strstr(line, text) != NULL)
            found = strdup(line);
    }
    free(log);
    return found;
}

char *server_log_line(struct server *server, const char *text)
{
    double end = seconds_now() + LOG_PATIENCE_S;
    char *line;

    while ((line = find_line(server, text)) == NULL && seconds_now() < end)
        pause_briefly();
    return line;
}

/* ---- Other sub-commands ---------------------------------------------------------------------- */

struct outcome command_run(const char *first, ...)
{
    struct launch launch = {.words = {NOISETILE_BINARY}};
    struct outcome outcome;
    va_list rest;
    pid_t pid;

    inherit_environment(&launch);
    va_start(rest, first);
    add_words(&launch, first, rest);
    va_end(rest);
    pid = launch_start(&launch);
    outcome.status = wait_for_end(pid, PATIENCE_S);
    if (outcome.status == -1) {
        kill(pid, SIGKILL);
        ck_abort_msg("noisetile %s did not end", first != NULL ? first : "");
    }
    outcome.out = read_whole(launch.out, &outcome.out_len);
    outcome.err = read_whole(launch.err, NULL);
    close(launch.out);
    close(launch.err);
    return outcome;
}

void outcome_free(struct outcome *outcome)
{
    free(outcome->out);
    free(outcome->err);
}

/* ---- Requests through libcurl ---------------------------------------------------------------- */

/* What a thread keeps between its requests. */
struct caller {
    CURL *curl;
    pid_t pid; /* of the process that made curl: a fork must not use its parent's connection */
    char values[8][4096];
    unsigned next;
};

static pthread_key_t caller_key;

static void caller_free(void *data)
{
    struct caller *caller = data;

    curl_easy_cleanup(caller->curl);
    free(caller);
}

static void make_key(void)
{
    ck_assert_int_eq(curl_global_init(CURL_GLOBAL_ALL), 0);
    ck_assert_int_eq(pthread_key_create(&caller_key, caller_free), 0);
}

static struct caller *this_caller(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct caller *caller;

    pthread_once(&once, make_key);
    caller = pthread_getspecific(caller_key);
    if (caller == NULL) {
        caller = calloc(1, sizeof *caller);
        ck_assert_ptr_nonnull(caller);
        pthread_setspecific(caller_key, caller);
    }
    if (caller->pid != getpid()) {
        curl_easy_cleanup(caller->curl);
        caller->curl = curl_easy_init();
        ck_assert_ptr_nonnull(caller->curl);
        caller->pid = getpid();
    }
    return caller;
}

/* Appends, keeping a NUL behind; false if memory or patience ends. */
static bool append(void *text, size_t *len, const char *more, size_t n)
{
    char **bytes = text, *grown;

    if (*len + n > ANSWER_MAX || (grown = realloc(*bytes, *len + n + 1)) == NULL)
        return false;
    memcpy(grown + *len, more, n);
    *len += n;
    grown[*len] = '\0';
    *bytes = grown;
    return true;
}

static size_t take_body(char *data, size_t size, size_t count, void *context)
{
    struct answer *answer = context;

    return append(&answer->body, &answer->len, data, size * count) ? size * count : 0;
}

static size_t take_line(char *data, size_t size, size_t count, void *context)
{
    struct answer *answer = context;
    size_t len = answer->head != NULL ? strlen(answer->head) : 0, n = size * count;

    if (n >= 5 && memcmp(data, "HTTP/", 5) == 0)
        len = 0; /* an interim answer came before */
    return n == 2 || append(&answer->head, &len, data, n) ? n : 0;
}

static void set_method(CURL *curl, const char *method)
{
    if (method == NULL || strcmp(method, "GET") == 0)
        return;
    if (strcmp(method, "HEAD") == 0)
        curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
    else
        curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, method);
}

static void set_options(CURL *curl, const struct server *server, const char *method,
                        const char *path, const struct curl_slist *headers, struct answer *answer)
{
    curl_easy_reset(curl); /* keeps the connection */
    curl_easy_setopt(curl, CURLOPT_URL, server->base);
    curl_easy_setopt(curl, CURLOPT_REQUEST_TARGET, path);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)PATIENCE_S);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_line);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, answer);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, answer);
    set_method(curl, method);
}

struct answer request(const struct server *server, const char *method, const char *path,
                      const char *const *headers)
{
    CURL *curl = this_caller()->curl;
    struct curl_slist *lines = NULL;
    struct answer answer = {0};
    char what[256];
    long connects;
    CURLcode code;

    append(&answer.body, &answer.len, "", 0);
    for (; headers != NULL && *headers != NULL; headers++)
        lines = curl_slist_append(lines, *headers);
    set_options(curl, server, method, path, lines, &answer);
    code = curl_easy_perform(curl);
    curl_slist_free_all(lines);
    snprintf(what, sizeof what, "%s %.150s: %s", method != NULL ? method : "GET", path,
             curl_easy_strerror(code));
    if (code != CURLE_OK || answer.head == NULL)
        fail_with_log(server, what);
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer.status);
    curl_easy_getinfo(curl, CURLINFO_TOTAL_TIME, &answer.seconds);
    curl_easy_getinfo(curl, CURLINFO_NUM_CONNECTS, &connects);
    answer.reused = connects == 0;
    return answer;
}

struct answer get(const struct server *server, const char *path_format, ...)
{
    char *path = malloc(PATH_MAX_BYTES);
    struct answer answer;
    va_list args;
    int n;

    ck_assert_ptr_nonnull(path);
    va_start(args, path_format);
    n = vsnprintf(path, PATH_MAX_BYTES, path_format, args);
    va_end(args);
    ck_assert_int_lt(n, PATH_MAX_BYTES);
    answer = request(server, NULL, path, NULL);
    free(path);
    return answer;
}

/* What follows the colon of the next line of that name at or behind `line`, or NULL. */
static const char *find_header(const char *line, const char *name)
{
    size_t len = strlen(name);

    while (*line != '\0') {
        if (strncasecmp(line, name, len) == 0 && line[len] == ':')
            return line + len + 1 + strspn(line + len + 1, " \t");
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return NULL;
}

const char *header(const struct answer *answer, const char *name)
{
    struct caller *caller = this_caller();
    char *kept = caller->values[caller->next++ % 8];
    const char *value = find_header(answer->head, name);

    if (value == NULL)
        return NULL;
    snprintf(kept, sizeof caller->values[0], "%.*s", (int)strcspn(value, "\r\n"), value);
    return kept;
}

int header_count(const struct answer *answer, const char *name)
{
    const char *at = answer->head;
    int count = 0;

    while ((at = find_header(at, name)) != NULL)
        count++;
    return count;
}

void answer_free(struct answer *answer)
{
    free(answer->head);
    free(answer->body);
    answer->head = NULL;
    answer->body = NULL;
}

double server_figure(const struct server *server, const char *path)
{
    struct answer answer = request(server, NULL, "/health/ready", NULL);
    cJSON *document = cJSON_Parse((const char *)answer.body), *item = document;
    char names[128], *rest = names, *name;
    double figure;

    snprintf(names, sizeof names, "%s", path);
    while (item != NULL && (name = strsep(&rest, ".")) != NULL)
        item = cJSON_GetObjectItemCaseSensitive(item, name);
    ck_assert_msg(cJSON_IsNumber(item), "no figure %s in %s", path, (const char *)answer.body);
    figure = cJSON_GetNumberValue(item);
    cJSON_Delete(document);
    answer_free(&answer);
    return figure;
}

/* ---- Raw sockets ----------------------------------------------------------------------------- */

int raw_connect(const struct server *server)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)server->port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;

    ck_assert_msg(fd >= 0, "socket: %s", strerror(errno));
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (connect(fd, (const struct sockaddr *)&address, sizeof address) == 0)
        return fd;
    close(fd);
    return -1;
}

bool raw_send(int fd, const void *bytes, size_t len)
{
    const struct timeval patience = {PATIENCE_S, 0};
    const char *at = bytes;

    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    while (len > 0) {
        ssize_t n = send(fd, at, len, MSG_NOSIGNAL);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        at += n;
        len -= (size_t)n;
    }
    return true;
}

/* One read of at most cap bytes: its length, 0 if the peer has closed, -1 if `seconds` passed. */
static ssize_t read_some(int fd, char *buffer, size_t cap, double seconds)
{
    struct pollfd wanted = {.fd = fd, .events = POLLIN};
    ssize_t n;

    if (poll(&wanted, 1, seconds > 0 ? (int)(seconds * 1000) + 1 : 0) <= 0)
        return -1;
    n = recv(fd, buffer, cap, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return -1;
    return n > 0 ? n : 0; /* a reset is an end, too */
}

size_t raw_read(int fd, char *buffer, size_t cap, double seconds, bool *closed)
{
    double end = seconds_now() + seconds, left = seconds;
    size_t len = 0;
    ssize_t n = 1;

    for (; n != 0 && len + 1 < cap && left >= 0; left = end - seconds_now()) {
        n = read_some(fd, buffer + len, cap - 1 - len, left);
        if (n > 0)
            len += (size_t)n;
    }
    buffer[len] = '\0';
    if (closed != NULL)
        *closed = n == 0;
    return len;
}

char *raw_exchange(const struct server *server, const void *bytes, size_t len, double seconds,
                   bool *closed)
{
    double end = seconds_now() + PATIENCE_S;
    int fd = raw_connect(server);
    char piece[16384], *text = NULL;
    size_t got = 0;
    ssize_t n;

    ck_assert_msg(fd >= 0, "connect: %s", strerror(errno));
    append(&text, &got, "", 0);
    raw_send(fd, bytes, len);
    while ((n = read_some(fd, piece, sizeof piece, seconds)) > 0 && seconds_now() < end) {
        for (ssize_t i = 0; i < n; i++)
            piece[i] = piece[i] == '\0' ? '?' : piece[i];
        ck_assert(append(&text, &got, piece, (size_t)n));
    }
    close(fd);
    if (closed != NULL)
        *closed = n == 0;
    return text;
}

/* The next status line at or behind text, or NULL. */
static const char *find_status(const char *text, int *status)
{
    while ((text = strstr(text, "HTTP/1.")) != NULL) {
        if (sscanf(text, "HTTP/1.%*1[01] %3d", status) == 1)
            return text;
        text++;
    }
    return NULL;
}

int raw_count(const char *text)
{
    int count = 0, status;

    while ((text = find_status(text, &status)) != NULL) {
        count++;
        text++;
    }
    return count;
}

int raw_status(const char *text)
{
    int status;

    return find_status(text, &status) != NULL ? status : 0;
}
