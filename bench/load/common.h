// Shared by both load generators: sockets on loopback, time, and exits with a message.
#ifndef PALISADE_BENCH_COMMON_H
#define PALISADE_BENCH_COMMON_H

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static inline void die(const char *what) {
  perror(what);
  exit(1);
}

static inline uint64_t now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

// Raises the limit of open files to the system's maximum.
static inline void raise_open_files(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// The edge limits connections per address and logins per /24, so each connection uses another
// /24 of 127.0.0.0/8 in turn.
#define NETWORKS 65000u
static inline uint32_t source_of(uint32_t n) {
  return htonl(0x7f010000u + (n % NETWORKS << 8) + n / NETWORKS % 250u + 2);
}

// Starts a connection. Non-blocking; on loopback it is usually open at once.
static inline int connect_from(uint32_t source, int port) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) die("socket");
  int one = 1;
  // The kernel chooses the port at connect, when it knows the whole pair of addresses.
  setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof one);
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = source};
  if (bind(fd, (struct sockaddr *)&from, sizeof from) < 0) die("bind");
  struct sockaddr_in to = {.sin_family = AF_INET,
                           .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                           .sin_port = htons((uint16_t)port)};
  if (connect(fd, (struct sockaddr *)&to, sizeof to) < 0 && errno != EINPROGRESS) die("connect");
  return fd;
}

static inline int listen_on(int port) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) die("socket");
  int one = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  struct sockaddr_in at = {.sin_family = AF_INET,
                           .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                           .sin_port = htons((uint16_t)port)};
  if (bind(fd, (struct sockaddr *)&at, sizeof at) < 0) die("bind");
  if (listen(fd, 4096) < 0) die("listen");
  return fd;
}

static inline void watch(int epoll, int op, int fd, uint32_t events, uint64_t data) {
  struct epoll_event event = {.events = events, .data.u64 = data};
  if (epoll_ctl(epoll, op, fd, &event) < 0) die("epoll_ctl");
}

// Bytes written as hex; ".." stands for any byte and is marked in `any`. "*" at the end stands for more bytes.
typedef struct {
  unsigned char *bytes;
  unsigned char *any;
  size_t length;
  int exact;
  int is_open;
} Pattern;

static inline Pattern pattern_of(const char *hex) {
  size_t length = strlen(hex) / 2;
  Pattern p = {calloc(length + 1, 1), calloc(length + 1, 1), length, 1, strchr(hex, '*') != NULL};
  for (size_t i = 0; i < length; i++) {
    if (hex[2 * i] == '.') {
      p.any[i] = 1;
      p.exact = 0;
    } else {
      unsigned int byte;
      if (sscanf(hex + 2 * i, "%2x", &byte) != 1) die("hex");
      p.bytes[i] = (unsigned char)byte;
    }
  }
  return p;
}

static inline int matches(const Pattern *p, const unsigned char *bytes) {
  if (p->exact) return memcmp(p->bytes, bytes, p->length) == 0;
  for (size_t i = 0; i < p->length; i++)
    if (!p->any[i] && p->bytes[i] != bytes[i]) return 0;
  return 1;
}

#endif
