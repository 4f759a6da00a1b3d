// The part of RakNet that a relay of Bedrock needs to see: the handshake that opens a connection, and
// the head of a datagram that carries one ordered message. Source: minecraft.wiki, "RakNet".
#ifndef PALISADE_BENCH_RAKNET_H
#define PALISADE_BENCH_RAKNET_H

#include <stdint.h>
#include <string.h>

enum { PING = 0x01, REQUEST1 = 0x05, REPLY1 = 0x06, REQUEST2 = 0x07, REPLY2 = 0x08, PONG = 0x1c };

#define MAGIC_BYTES 16
#define REQUEST1_BYTES 548
#define RAKNET_VERSION 11
// Flags, sequence number, and of the message: flags, length in bits, numbers of message and order.
#define FRAME_HEAD_BYTES 14

static const unsigned char magic[MAGIC_BYTES] = {0x00, 0xff, 0xff, 0x00, 0xfe, 0xfe, 0xfe, 0xfe,
                                                 0xfd, 0xfd, 0xfd, 0xfd, 0x12, 0x34, 0x56, 0x78};

static inline unsigned char *put(unsigned char *at, const void *bytes, size_t length) {
  memcpy(at, bytes, length);
  return at + length;
}

static inline unsigned char *put_u16(unsigned char *at, unsigned value) {
  at[0] = (unsigned char)(value >> 8);
  at[1] = (unsigned char)value;
  return at + 2;
}

static inline unsigned char *put_id(unsigned char *at, unsigned char id) {
  *at = id;
  return put(at + 1, magic, MAGIC_BYTES);
}

static inline unsigned char *put_guid(unsigned char *at) {
  return put(at, "palisade", 8);
}

static inline unsigned char *put_address(unsigned char *at) {
  return put(at, "\x04\x80\xff\xff\xfe\x4a\xbc", 7);
}

static inline size_t request1(unsigned char *bytes) {
  memset(bytes, 0, REQUEST1_BYTES);
  *put_id(bytes, REQUEST1) = RAKNET_VERSION;
  return REQUEST1_BYTES;
}

// Answers a first reply, with its cookie if it has one; 0 if it is none.
static inline size_t request2(unsigned char *bytes, const unsigned char *reply, size_t length) {
  if (length < 28 || reply[0] != REPLY1) return 0;
  unsigned char *at = put_id(bytes, REQUEST2);
  if (reply[25] != 0) {
    at = put(at, reply + 26, 4);
    *at++ = 0;
  }
  at = put_address(at);
  at = put_u16(at, REQUEST1_BYTES + 28);
  return (size_t)(put_guid(at) - bytes);
}

// What a server says to a message outside of a connection; 0: nothing.
static inline size_t server_answer(unsigned char *bytes, const unsigned char *request, size_t length) {
  static const char text[] = "MCPE;Bench;766;1.21.50;7;500;4711;Bench;Survival;1;19132;19133;";
  unsigned char *at = bytes;
  if (request[0] == PING && length >= 25) {
    *at++ = PONG;
    at = put_guid(put(at, request + 1, 8));
    at = put_u16(put(at, magic, MAGIC_BYTES), sizeof text - 1);
    return (size_t)(put(at, text, sizeof text - 1) - bytes);
  }
  if (request[0] == REQUEST1) {
    at = put_guid(put_id(bytes, REPLY1));
    *at++ = 0;
    return (size_t)(put_u16(at, REQUEST1_BYTES + 28) - bytes);
  }
  if (request[0] != REQUEST2) return 0;
  at = put_address(put_guid(put_id(bytes, REPLY2)));
  at = put_u16(at, REQUEST1_BYTES + 28);
  *at++ = 0;
  return (size_t)(at - bytes);
}

// The head of a datagram with one message of `length` bytes, reliable and in order.
static inline void frame_head(unsigned char *bytes, uint32_t number, size_t length) {
  memset(bytes, 0, FRAME_HEAD_BYTES);
  bytes[0] = 0x84;
  memcpy(bytes + 1, &number, 3);
  bytes[4] = 0x60;
  put_u16(bytes + 5, (unsigned)(length * 8));
  memcpy(bytes + 7, &number, 3);
  memcpy(bytes + 10, &number, 3);
}

#endif
