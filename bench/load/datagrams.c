// Load generator of a UDP relay: clients and their backend, in one process. Every byte is checked, and
// every datagram counts as lost that does not arrive.
//
//   datagrams <relay port> <backend port> <clients> [raknet]
//
// Each client sends until the backend knows its session; then {"ready":n} is printed, and commands are
// read from standard input:
//
//   packets <seconds> <up per second and client> <up bytes> <down per second and client> <down bytes>
//   echoes <seconds> <per second and client> <bytes>  (the backend sends each datagram back)
//   saturate <seconds> <up bytes> <down bytes>  (a datagram that arrives is followed by the next one)
//   quit (or the end of the input)
//
// and answers each with a line:
//   {"packets":n,"wrong":n,"lost":n,"seconds":s,"p50_us":n,"p99_us":n}
// whose times are of datagrams under way, and for `echoes` of the whole round trip.
//
// With `raknet` a client has an address of its own, opens a connection as Bedrock does before it sends,
// and every datagram is one message of that connection.
#include "common.h"
#include "raknet.h"
#include <poll.h>

#define CLIENTS_MAX 16384
#define DATAGRAM_BYTES 2048
#define SEQUENCE 262139
#define BATCH 64
// A datagram that is under way for longer is lost.
#define LOST_US 2000000
#define KEEP_ALIVE_MS 8000
#define SAMPLES_MAX (1u << 22)

enum { CLIENT, BACKEND };

typedef struct {
  uint32_t client, number;
  // When the datagram, or the one that it answers, was sent.
  uint32_t at_us;
} Head;

// Both directions of a client, by the side that sends.
typedef struct {
  // Datagrams below `expired` counted as lost; a late one is taken off again.
  uint32_t sent, received, expired;
  uint64_t sent_us;
} Way;

typedef struct {
  int fd, is_open;
  // Its second request, once it has a cookie for it; then whether that was answered.
  unsigned char request[64];
  size_t request_bytes;
  int has_connection;
  struct sockaddr_in session;
  Way ways[2];
} Client;

static Client *clients;
static int client_count, backend, epoll, open_count;
static unsigned char *sequence;
static size_t next_bytes[2];
static uint64_t packets, wrong, lost;
static int is_raknet, is_echo;
// Before the head of each datagram.
static size_t front_bytes;
static uint32_t *samples, sample_count;

static int udp_socket(void) {
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) die("socket");
  int size = 4 << 20;
  setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  return fd;
}

static struct sockaddr_in loopback(int port) {
  return (struct sockaddr_in){.sin_family = AF_INET,
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                              .sin_port = htons((uint16_t)port)};
}

// The bytes behind the head; they differ for each client, direction and number.
static const unsigned char *body(uint32_t client, int from, uint32_t number) {
  uint64_t place = (uint64_t)client * 7919 + (uint64_t)number * 31 + (from == CLIENT ? 0 : 104729);
  return sequence + place % SEQUENCE;
}

// `length` is that of the datagram, with what comes before its head.
static void transmit_at(int index, int from, size_t length, uint32_t at_us) {
  Client *c = &clients[index];
  Way *way = &c->ways[from];
  unsigned char bytes[DATAGRAM_BYTES], *at = bytes + front_bytes;
  Head head = {(uint32_t)index, way->sent++, at_us};
  if (is_raknet) frame_head(bytes, head.number, length - front_bytes);
  memcpy(at, &head, sizeof head);
  memcpy(at + sizeof head, body(head.client, from, head.number), length - front_bytes - sizeof head);
  way->sent_us = now_us();
  packets++;
  ssize_t n = from == CLIENT ? send(c->fd, bytes, length, 0)
                             : sendto(backend, bytes, length, 0, (struct sockaddr *)&c->session,
                                      sizeof c->session);
  if (n < 0 && errno != EAGAIN && errno != ENOBUFS) die("send");
}

static void transmit(int index, int from, size_t length) {
  transmit_at(index, from, length, (uint32_t)now_us());
}

static void wrong_datagram(const char *what) {
  if (wrong++ == 0) fprintf(stderr, "datagrams: %s\n", what);
}

// `receiver` is the client's index, or -1 for the backend.
static void check(const unsigned char *datagram, size_t datagram_bytes, int receiver,
                  const struct sockaddr_in *from) {
  const unsigned char *bytes = datagram + front_bytes;
  size_t length = datagram_bytes - front_bytes;
  Head head;
  int way_of = receiver < 0 ? CLIENT : BACKEND;
  if (datagram_bytes < front_bytes + sizeof head) return wrong_datagram("no head");
  memcpy(&head, bytes, sizeof head);
  if (head.client >= (uint32_t)client_count) return wrong_datagram("no client");
  if (receiver >= 0 && head.client != (uint32_t)receiver) return wrong_datagram("of another client");
  Client *c = &clients[head.client];
  size_t rest = length - sizeof head;
  if (memcmp(bytes + sizeof head, body(head.client, way_of, head.number), rest) != 0)
    return wrong_datagram("wrong bytes");
  if (receiver < 0 && !c->is_open) {
    c->is_open = 1;
    c->session = *from;
    open_count++;
  } else if (receiver < 0 && (c->session.sin_port != from->sin_port ||
                              c->session.sin_addr.s_addr != from->sin_addr.s_addr)) {
    return wrong_datagram("of another session");
  }
  Way *way = &c->ways[way_of];
  if (head.number < way->expired && lost > 0) {
    lost--;
    return;
  }
  if (head.number < way->received) return wrong_datagram("out of order or twice");
  lost += head.number - way->received;
  way->received = head.number + 1;
  if (!is_echo || receiver >= 0) {
    if (sample_count < SAMPLES_MAX) samples[sample_count++] = (uint32_t)now_us() - head.at_us;
  } else {
    transmit_at((int)head.client, BACKEND, datagram_bytes, head.at_us);
  }
  if (next_bytes[way_of] > 0 && way->received == way->sent)
    transmit((int)head.client, way_of, next_bytes[way_of]);
}

// Messages outside of a connection, of RakNet alone.
static void answer_offline(const unsigned char *bytes, size_t length, const struct sockaddr_in *from) {
  unsigned char answer[256];
  size_t answer_bytes = length == 0 ? 0 : server_answer(answer, bytes, length);
  if (answer_bytes > 0)
    sendto(backend, answer, answer_bytes, 0, (const struct sockaddr *)from, sizeof *from);
}

static void take_offline(Client *c, const unsigned char *bytes, size_t length) {
  if (bytes[0] == REPLY2) c->has_connection = 1;
  size_t request_bytes = request2(c->request, bytes, length);
  if (request_bytes == 0) return;
  c->request_bytes = request_bytes;
  send(c->fd, c->request, c->request_bytes, 0);
}

static void backend_readable(void) {
  static unsigned char bytes[BATCH][DATAGRAM_BYTES];
  static struct sockaddr_in names[BATCH];
  static struct iovec vectors[BATCH];
  static struct mmsghdr entries[BATCH];
  for (int i = 0; i < BATCH; i++) {
    vectors[i] = (struct iovec){bytes[i], DATAGRAM_BYTES};
    entries[i].msg_hdr = (struct msghdr){
        .msg_name = &names[i], .msg_namelen = sizeof names[i], .msg_iov = &vectors[i], .msg_iovlen = 1};
  }
  int count = recvmmsg(backend, entries, BATCH, 0, NULL);
  for (int i = 0; i < count; i++) {
    if (is_raknet && bytes[i][0] < 0x80) answer_offline(bytes[i], entries[i].msg_len, &names[i]);
    else check(bytes[i], entries[i].msg_len, -1, &names[i]);
  }
}

static void client_readable(int index) {
  unsigned char bytes[DATAGRAM_BYTES];
  ssize_t n = recv(clients[index].fd, bytes, sizeof bytes, 0);
  if (n > 0 && is_raknet && bytes[0] < 0x80) take_offline(&clients[index], bytes, (size_t)n);
  else if (n > 0) check(bytes, (size_t)n, index, NULL);
}

static void turn(int wait_ms) {
  struct epoll_event events[512];
  int count = epoll_wait(epoll, events, 512, wait_ms);
  for (int i = 0; i < count; i++) {
    if (events[i].data.u64 == 0) backend_readable();
    else client_readable((int)events[i].data.u64 - 1);
  }
}

// Counts what was lost at the end of each way. True if something may still be under way.
static int expire(void) {
  uint64_t now = now_us();
  int is_under_way = 0;
  for (int i = 0; i < client_count; i++) {
    for (int from = 0; from < 2; from++) {
      Way *way = &clients[i].ways[from];
      if (way->received == way->sent) continue;
      if (now < way->sent_us + LOST_US) {
        is_under_way = 1;
        continue;
      }
      lost += way->sent - way->received;
      way->received = way->expired = way->sent;
      if (next_bytes[from] > 0) transmit(i, from, next_bytes[from]);
    }
  }
  return is_under_way;
}

static int ascending(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void report(uint64_t started_us) {
  uint64_t ended_us = now_us();
  while (expire()) turn(5);
  qsort(samples, sample_count, sizeof *samples, ascending);
  printf("{\"packets\":%lu,\"wrong\":%lu,\"lost\":%lu,\"seconds\":%.3f,\"p50_us\":%u,\"p99_us\":%u}\n",
         packets, wrong, lost, (double)(ended_us - started_us) / 1e6,
         sample_count ? samples[(uint64_t)sample_count * 50 / 100] : 0,
         sample_count ? samples[(uint64_t)sample_count * 99 / 100] : 0);
  fflush(stdout);
}

static void run_packets(double seconds, double up, size_t up_bytes, double down, size_t down_bytes) {
  uint64_t started_us = now_us(), sent[2] = {0, 0};
  double rates[2] = {up * client_count, down * client_count};
  size_t sizes[2] = {up_bytes, down_bytes};
  for (;;) {
    double elapsed = (double)(now_us() - started_us) / 1e6;
    if (elapsed >= seconds) break;
    for (int from = 0; from < 2; from++) {
      // At most a few at a time, so that a late turn does not fill the kernel's buffers.
      for (int i = 0; i < 2 * BATCH && (double)sent[from] < elapsed * rates[from]; i++)
        transmit((int)(sent[from]++ % (uint64_t)client_count), from, sizes[from]);
    }
    turn(1);
  }
  report(started_us);
}

static void run_saturated(double seconds, size_t up_bytes, size_t down_bytes) {
  uint64_t started_us = now_us();
  next_bytes[CLIENT] = up_bytes;
  next_bytes[BACKEND] = down_bytes;
  for (int i = 0; i < client_count; i++) {
    transmit(i, CLIENT, up_bytes);
    transmit(i, BACKEND, down_bytes);
    if (i % BATCH == 0) turn(0);
  }
  for (int turns = 0; (double)(now_us() - started_us) / 1e6 < seconds; turns++) {
    turn(1);
    if (turns % 1024 == 0) expire();
  }
  next_bytes[CLIENT] = next_bytes[BACKEND] = 0;
  report(started_us);
}

// Says to the relay what it wants to hear next from a client that has no session yet.
static void open_further(int index) {
  Client *c = &clients[index];
  unsigned char bytes[REQUEST1_BYTES];
  if (!is_raknet || c->has_connection) transmit(index, CLIENT, front_bytes + sizeof(Head));
  else if (c->request_bytes > 0) send(c->fd, c->request, c->request_bytes, 0);
  else send(c->fd, bytes, request1(bytes), 0);
}

// Waits for a line of the input. Clients of RakNet send now and then at the same time, so that their sessions last.
static int next_command(char *line, int length) {
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  while (is_raknet && poll(&input, 1, KEEP_ALIVE_MS) == 0) {
    for (int i = 0; i < client_count; i++) {
      transmit(i, CLIENT, front_bytes + sizeof(Head));
      if (i % BATCH == 0) turn(0);
    }
    while (expire()) turn(5);
  }
  return fgets(line, length, stdin) != NULL;
}

int main(int argc, char **argv) {
  is_raknet = argc == 5 && strcmp(argv[4], "raknet") == 0;
  if (argc != 4 && !is_raknet) return 2;
  front_bytes = is_raknet ? FRAME_HEAD_BYTES : 0;
  struct sockaddr_in relay = loopback(atoi(argv[1])), own = loopback(atoi(argv[2]));
  client_count = atoi(argv[3]);
  if (client_count < 1 || client_count > CLIENTS_MAX) return 2;
  raise_open_files();
  clients = calloc((size_t)client_count, sizeof *clients);
  samples = malloc(SAMPLES_MAX * sizeof *samples);
  sequence = malloc(SEQUENCE + DATAGRAM_BYTES);
  uint32_t random = 2463534242u;
  for (int i = 0; i < SEQUENCE + DATAGRAM_BYTES; i++) {
    random ^= random << 13;
    random ^= random >> 17;
    random ^= random << 5;
    sequence[i] = (unsigned char)random;
  }
  epoll = epoll_create1(EPOLL_CLOEXEC);
  backend = udp_socket();
  if (bind(backend, (struct sockaddr *)&own, sizeof own) < 0) die("bind");
  watch(epoll, EPOLL_CTL_ADD, backend, EPOLLIN, 0);
  for (int i = 0; i < client_count; i++) {
    clients[i].fd = udp_socket();
    if (is_raknet) {
      struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = source_of((uint32_t)i)};
      if (bind(clients[i].fd, (struct sockaddr *)&from, sizeof from) < 0) die("bind");
    }
    if (connect(clients[i].fd, (struct sockaddr *)&relay, sizeof relay) < 0) die("connect");
    watch(epoll, EPOLL_CTL_ADD, clients[i].fd, EPOLLIN, (uint64_t)i + 1);
  }
  uint64_t give_up_us = now_us() + 20000000;
  while (open_count < client_count && now_us() < give_up_us) {
    for (int i = 0; i < client_count; i++) {
      if (!clients[i].is_open) open_further(i);
      if (i % 32 == 0) turn(1);
    }
    turn(20);
  }
  printf("{\"ready\":%d}\n", open_count);
  fflush(stdout);
  if (open_count < client_count) return 1;
  while (expire()) turn(5);

  char line[256];
  while (next_command(line, sizeof line)) {
    double seconds, up, down;
    unsigned long up_bytes, down_bytes;
    packets = wrong = lost = sample_count = 0;
    int is_packets =
        sscanf(line, "packets %lf %lf %lu %lf %lu", &seconds, &up, &up_bytes, &down, &down_bytes) == 5;
    is_echo = sscanf(line, "echoes %lf %lf %lu", &seconds, &up, &up_bytes) == 3;
    if (is_echo) {
      down = 0;
      down_bytes = up_bytes;
    } else if (!is_packets && sscanf(line, "saturate %lf %lu %lu", &seconds, &up_bytes, &down_bytes) != 3) {
      break;
    }
    size_t bytes_min = front_bytes + sizeof(Head);
    if (up_bytes < bytes_min || down_bytes < bytes_min) break;
    if (up_bytes > DATAGRAM_BYTES || down_bytes > DATAGRAM_BYTES) break;
    if (is_packets || is_echo) run_packets(seconds, up, up_bytes, down, down_bytes);
    else run_saturated(seconds, up_bytes, down_bytes);
  }
  return 0;
}
