import { encodeLoginCookieResponse } from "@palisade/minecraft-protocol/java/cookies";
import { readFrame } from "@palisade/minecraft-protocol/java/frame";
import { recordedFalls } from "@palisade/minecraft-protocol/java/limbo/recorded-falls";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { recordedClients } from "@palisade/minecraft-protocol/java/recorded-clients";
import { recordedPackets } from "@palisade/minecraft-protocol/java/recorded-packets";
import { encodePong, encodeStatusResponse } from "@palisade/minecraft-protocol/java/status";
import { knownReleases } from "@palisade/minecraft-protocol/java/versions";
import { encodeProxyV2, proxyV2Local } from "@palisade/minecraft-protocol/proxy/proxy-v2";
import { mmdbOf } from "@palisade/testing/mmdb";
import { createTransferCookie, transferCookieKey } from "#src/challenge/transfer-cookie.ts";

/** Valid bytes of every kind, which are then changed. */

const hex = (text: string): Buffer => Buffer.from(text, "hex");
const present = (texts: readonly (string | undefined)[]): Buffer[] =>
  texts.filter((text) => text !== undefined).map(hex);

/** Known versions, and some that do not exist. */
export const protocols: readonly number[] = [
  ...knownReleases.map(({ protocol }) => protocol),
  -1,
  0,
  3,
  46,
  0x7fffffff,
];

/** Cookie key of the fuzzed shields. */
export const cookieKey: Buffer = Buffer.alloc(32, 7);

const ip = Uint8Array.of(203, 0, 113, 9);
const ends = { source: { ip, port: 50_000 }, destination: { ip, port: 25_565 } };
const ends6 = {
  source: { ip: Uint8Array.of(0x20, 1, 0xd, 0xb8, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 9), port: 1 },
  destination: ends.destination,
};
const handshakes = [
  ...recordedClients.map((client) => firstFrame(hex(client.hex))),
  encodeHandshake({ protocol: 772, host: "a.example\0FML3\0", port: 1, intent: "login" }),
  encodeHandshake({ protocol: 772, host: `${"x".repeat(255)}.`, port: 1, intent: "transfer" }),
];
const utf16 = (text: string): Buffer => Buffer.from(text, "utf16le").swap16();
const text16 = (text: string): Buffer => Buffer.concat([Buffer.of(0, text.length), utf16(text)]);
const port4 = Buffer.of(0, 0, 0x63, 0xdd);
const address = text16("play.example.org");
const legacy = [
  hex("fe"),
  hex("fe01"),
  Buffer.concat([
    hex("fe01fa"),
    text16("MC|PingHost"),
    Buffer.of(0, 1 + address.length + 4, 74),
    address,
    port4,
  ]),
  Buffer.concat([Buffer.of(2, 61), text16("Steve_01"), address, port4]),
];
const statuses = [
  {
    version: { name: "1.21", protocol: 767 },
    players: { max: 20, online: 1 },
    description: "§aHi",
  },
  { description: { text: "a", extra: [{ text: "b", color: "#ff0000", bold: true }, ["c"]] } },
].map((status) => encodeStatusResponse(JSON.stringify(status)));

const login = encodeLoginStart("Steve_01", new Uint8Array(16));
const transferCookie = createTransferCookie({ name: "Steve_01", ip }, "protocol", cookieKey, 1);

const networks = [
  ["192.0.2.0/24", { autonomous_system_number: 64_496 }],
  ["2001:db8::/32", { autonomous_system_number: 64_497 }],
  ["198.51.100.0/25", { is_tor_exit_node: true, is_anonymous: true }],
] as const;

export const corpus = {
  ip,
  handshakes,
  legacy,
  statuses,
  logins: [encodeLoginStart("Steve_01"), login],
  transferCookies: [transferCookie],
  cookies: [
    encodeLoginCookieResponse(transferCookieKey, transferCookie),
    encodeLoginCookieResponse(transferCookieKey, undefined),
    ...present(recordedPackets.map((packets) => packets.cookieResponse)),
  ],
  encryptions: present(
    recordedPackets.flatMap((packets) => [packets.encryptionResponse, packets.encryptionSigned]),
  ),
  settings: present(
    recordedPackets.flatMap(({ keepAliveAnswer, information, brand }) => [
      keepAliveAnswer,
      information,
      brand,
    ]),
  ),
  falls: recordedFalls.flatMap(({ frames }) => frames.map(hex)),
  proxies: [
    encodeProxyV2(ends.source, ends.destination),
    encodeProxyV2(ends6.source, ends6.destination),
    Buffer.from(proxyV2Local),
    Buffer.from("PROXY TCP4 203.0.113.9 198.51.100.1 50000 25565\r\n"),
    Buffer.from("PROXY TCP6 2001:db8::9 2001:db8::1 50000 25565\r\n"),
    Buffer.from("PROXY UNKNOWN whatever\r\n"),
  ],
  texts: [
    "play.example.org.",
    "a\0FML2\0",
    "b///1.2.3.4///5",
    "bücher.example",
    "203.0.113.9",
    "2001:db8::1",
    "::ffff:1.2.3.4",
    "1.2.3.4.5",
    "xn--bcher-kva.example",
  ].map((text) => Buffer.from(text)),
  lists: [
    "192.0.2.1\n198.51.100.0/24 # hosting\n; unused\n2001:db8::/32\nAS64496 Example\n",
    "\xef\xbb\xbf10.0.0.0/8\r\n::ffff:192.0.2.0/120\r\nAS4294967295\r\n",
  ].map((text) => Buffer.from(text, "latin1")),
  mmdbs: ([24, 28, 32] as const).map((recordBits) => mmdbOf(networks, { recordBits })),
  archives: [tarOf("GeoLite2/README.txt", Buffer.from("hello")), tarOf("a.mmdb", mmdbOf(networks))],
  frames: [...handshakes, login, ...statuses, encodePong(Buffer.alloc(8, 1))],
};

/** The fields of whole frames. */
export function bodies(frames: readonly Buffer[]): Buffer[] {
  return frames.map((bytes) => {
    const frame = readFrame(bytes, 0, bytes.length);
    return frame.kind === "packet" ? bytes.subarray(frame.bodyStart, frame.bodyEnd) : bytes;
  });
}

/** A header of 512 bytes and the content, as `tar` makes them, without its filling. */
function tarOf(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(content.length.toString(8).padStart(11, "0"), 124);
  header.write("0", 156);
  header.write("ustar\0", 257);
  return Buffer.concat([header, content]);
}

function firstFrame(bytes: Buffer): Buffer {
  const frame = readFrame(bytes, 0, bytes.length);
  return frame.kind === "packet" ? bytes.subarray(0, frame.bodyEnd) : bytes;
}
