// Load generator of short exchanges: parallel connections, each of which sends, checks every byte of the
// answer, possibly sends and checks once more, ends, and is replaced by the next.
//
//   exchange <port> <at a time> <seconds> <server|client: who closes> <from> <numbers> <sources> <send> <expect> [<send> <expect>]
//
// ".." in <send> stands for a digit: exchanges are numbered from 1 to <numbers> and start again at 1; the
// first is <from> + 1. <sources>: number of source addresses, 0 for as many as there are.
// An empty <expect> is an end without an answer, by close or reset.
//
// Prints {"done":n,"wrong":n,"failed":n,"seconds":s,"p50_us":n,"p99_us":n}. An exchange's time runs
// from connect to the last byte of its last answer.
#include "common.h"

#define ANSWER_MAX 65536
#define SEND_MAX 1024
#define SAMPLES_MAX (1u << 22)

typedef struct {
  uint64_t started_us;
  size_t received;
  int fd, step, sent;
  uint32_t number;
} Exchange;

static int port, steps, server_closes, epoll;
static Pattern sends[2], expects[2];
static Exchange *exchanges;
static unsigned char (*answers)[ANSWER_MAX];
static uint32_t *samples, sample_count, next_source, next_number, numbers, sources;
static uint64_t done, wrong, failed;

// With more failures the server is not there.
#define FAILED_MAX 100000

static void begin(int slot);

static void finish(int slot) {
  close(exchanges[slot].fd);
  begin(slot);
}

static void fail(int slot) {
  if (++failed > FAILED_MAX) die("the server does not answer");
  finish(slot);
}

// False when the connection is broken. The data is small: it fits, or the socket is not open yet.
static int send_step(Exchange *e) {
  const Pattern *p = &sends[e->step];
  if (p->length == 0) return e->sent = 1;
  unsigned char numbered[SEND_MAX];
  const unsigned char *bytes = p->bytes;
  if (!p->exact) {
    memcpy(numbered, p->bytes, p->length);
    uint32_t rest = e->number;
    for (size_t i = p->length; i-- > 0;) {
      if (!p->any[i]) continue;
      numbered[i] = (unsigned char)('0' + rest % 10);
      rest /= 10;
    }
    bytes = numbered;
  }
  ssize_t n = send(e->fd, bytes, p->length, MSG_NOSIGNAL);
  e->sent = n == (ssize_t)p->length;
  return e->sent || (n < 0 && errno == EAGAIN);
}

static void begin(int slot) {
  Exchange *e = &exchanges[slot];
  next_number = next_number % numbers + 1;
  *e = (Exchange){.number = next_number, .started_us = now_us(), .fd = connect_from(source_of(next_source++), port)};
  if (sources > 0) next_source %= sources;
  if (!send_step(e)) return fail(slot);
  watch(epoll, EPOLL_CTL_ADD, e->fd, EPOLLIN | (e->sent ? 0 : EPOLLOUT), (uint64_t)slot);
}

static void count_done(const Exchange *e) {
  done++;
  if (sample_count < SAMPLES_MAX) samples[sample_count++] = (uint32_t)(now_us() - e->started_us);
}

// The answer of this step is complete. True when the connection continues.
static int answered(int slot) {
  Exchange *e = &exchanges[slot];
  const Pattern *expected = &expects[e->step];
  int is_longer = e->received > expected->length && !expected->is_open;
  if (is_longer || !matches(expected, answers[slot])) {
    if (wrong++ == 0) {
      fprintf(stderr, "wrong answer of %zu bytes: ", e->received);
      for (size_t i = 0; i < e->received; i++) fprintf(stderr, "%02x", answers[slot][i]);
      fprintf(stderr, "\n");
    }
    finish(slot);
    return 0;
  }
  e->received = 0;
  e->sent = 0;
  if (++e->step < steps) {
    if (send_step(e)) return 1;
    fail(slot);
    return 0;
  }
  count_done(e);
  if (server_closes) return 1;
  finish(slot);
  return 0;
}

static void readable(int slot) {
  Exchange *e = &exchanges[slot];
  for (;;) {
    ssize_t n = recv(e->fd, answers[slot] + e->received, ANSWER_MAX - e->received, 0);
    if (n < 0 && errno == EAGAIN) return;
    if (n <= 0) {
      int is_refused = n < 0 && errno == ECONNREFUSED;
      if (e->step < steps && expects[e->step].length == 0 && !is_refused) {
        count_done(e);
        finish(slot);
        return;
      }
      // An end is right only after the last answer.
      if (e->step < steps || n < 0) fail(slot);
      else finish(slot);
      return;
    }
    e->received += (size_t)n;
    if (e->step == steps || expects[e->step].length == 0) wrong++;
    else if (e->received >= expects[e->step].length && !answered(slot)) return;
    // More data rarely follows at once: wait for the next event.
    if (e->received < ANSWER_MAX) return;
  }
}

static int ascending(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  if (argc != 10 && argc != 12) return 2;
  port = atoi(argv[1]);
  int at_a_time = atoi(argv[2]);
  double seconds = atof(argv[3]);
  server_closes = strcmp(argv[4], "server") == 0;
  next_number = (uint32_t)atoi(argv[5]);
  numbers = (uint32_t)atoi(argv[6]);
  if (numbers == 0) return 2;
  sources = (uint32_t)atoi(argv[7]);
  for (int i = 8; i < argc; i += 2, steps++) {
    sends[steps] = pattern_of(argv[i]);
    expects[steps] = pattern_of(argv[i + 1]);
    if (expects[steps].length > ANSWER_MAX || sends[steps].length > SEND_MAX) return 2;
  }
  raise_open_files();
  exchanges = calloc((size_t)at_a_time, sizeof *exchanges);
  answers = calloc((size_t)at_a_time, sizeof *answers);
  samples = calloc(SAMPLES_MAX, sizeof *samples);
  epoll = epoll_create1(EPOLL_CLOEXEC);
  next_source = sources > 0 ? 0 : (uint32_t)now_us();
  uint64_t started_us = now_us();
  uint64_t deadline_us = started_us + (uint64_t)(seconds * 1e6);
  for (int slot = 0; slot < at_a_time; slot++) begin(slot);

  struct epoll_event events[256];
  while (now_us() < deadline_us) {
    int count = epoll_wait(epoll, events, 256, 10);
    for (int i = 0; i < count; i++) {
      int slot = (int)events[i].data.u64;
      Exchange *e = &exchanges[slot];
      if (e->sent || e->step == steps || !(events[i].events & EPOLLOUT)) readable(slot);
      else if (!send_step(e)) fail(slot);
      else if (e->sent) watch(epoll, EPOLL_CTL_MOD, e->fd, EPOLLIN, (uint64_t)slot);
    }
  }
  double took = (double)(now_us() - started_us) / 1e6;
  qsort(samples, sample_count, sizeof *samples, ascending);
  uint32_t p50 = sample_count ? samples[(uint64_t)sample_count * 50 / 100] : 0;
  uint32_t p99 = sample_count ? samples[(uint64_t)sample_count * 99 / 100] : 0;
  printf("{\"done\":%lu,\"wrong\":%lu,\"failed\":%lu,\"seconds\":%.3f,\"p50_us\":%u,\"p99_us\":%u}\n",
         done, wrong, failed, took, p50, p99);
  return 0;
}
