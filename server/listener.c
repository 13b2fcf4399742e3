/*
 * listener.c - sockets, nothing of HTTP; how an address is written is config's. Opens its own
 * listening socket rather than letting libmicrohttpd do it, for the backlog, for one socket that
 * takes IPv4 and IPv6, and for messages that name the address.
 */
#include "server/listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    BACKLOG = 4096,     /* cut to net.core.somaxconn by the kernel */
    FILES_OF_OURS = 64, /* log, epoll, event and listening descriptors, with room to spare */
};

void address_text(const struct sockaddr *addr, bool with_port, char *text, size_t cap)
{
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)(const void *)addr;
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)(const void *)addr;
    char host[INET6_ADDRSTRLEN] = "?";
    bool is_v6 = addr->sa_family == AF_INET6;
    const unsigned char *mapped = v6->sin6_addr.s6_addr;

    if (is_v6 && !with_port && IN6_IS_ADDR_V4MAPPED(&v6->sin6_addr))
        inet_ntop(AF_INET, mapped + 12, host, sizeof host);
    else if (is_v6)
        inet_ntop(AF_INET6, &v6->sin6_addr, host, sizeof host);
    else if (addr->sa_family == AF_INET)
        inet_ntop(AF_INET, &v4->sin_addr, host, sizeof host);
    if (!with_port)
        snprintf(text, cap, "%s", host);
    else
        snprintf(text, cap, is_v6 ? "[%s]:%u" : "%s:%u", host,
                 ntohs(is_v6 ? v6->sin6_port : v4->sin_port));
}

void address_make_reachable(struct address *address)
{
    struct sockaddr_in *v4 = (struct sockaddr_in *)&address->addr;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&address->addr;

    if (v4->sin_family == AF_INET && v4->sin_addr.s_addr == htonl(INADDR_ANY))
        v4->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (v6->sin6_family == AF_INET6 && IN6_IS_ADDR_UNSPECIFIED(&v6->sin6_addr))
        v6->sin6_addr = in6addr_loopback;
}

int listener_open(struct address *address, char *message, size_t message_size)
{
    const int on = 1, off = 0;
    int family = address->addr.ss_family;
    struct sockaddr *addr = (struct sockaddr *)&address->addr;
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    char text[ADDRESS_TEXT_MAX];

    if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
        (family != AF_INET6 || setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off) == 0) &&
        bind(fd, addr, address->len) == 0 && listen(fd, BACKLOG) == 0 &&
        getsockname(fd, addr, &address->len) == 0)
        return fd;
    address_text(addr, true, text, sizeof text);
    snprintf(message, message_size, "cannot listen on %s: %s", text, strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

void listener_mute(int fd)
{
    /* A filter of a TCP socket sees segments from the TCP header on; flags are its byte 13. */
    struct sock_filter drop_syn[] = {
        BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 13),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, TH_SYN, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, 0),
        BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
    };
    struct sock_fprog program = {sizeof drop_syn / sizeof *drop_syn, drop_syn};

    /* Where it is not allowed, a few late clients see a reset instead: nothing to report. */
    (void)setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

unsigned listener_backlog(int fd)
{
    struct tcp_info info = {0};
    socklen_t len = sizeof info;

    return getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len) == 0 ? info.tcpi_unacked : 0;
}

void listener_raise_limit(int64_t connections)
{
    rlim_t wanted = (rlim_t)connections + FILES_OF_OURS;
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
        return;
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}
