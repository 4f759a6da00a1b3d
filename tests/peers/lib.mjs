import { writeSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";

/** The options, as one JSON object in the first argument. */
export function readOptions() {
  return JSON.parse(process.argv[2] ?? "{}");
}

/**
 * Reserves standard output for events: output of libraries goes to standard error. Call it before
 * importing them.
 */
export function reserveStandardOutput() {
  process.stdout.write = process.stderr.write.bind(process.stderr);
}

/** One event as one line of JSON. */
export function report(event, fields = {}) {
  let line = Buffer.from(`${JSON.stringify({ event, ...fields })}\n`);
  while (line.length > 0) line = line.subarray(writeSome(line));
}

/** @returns bytes written; 0 while the pipe is full and its reader busy */
function writeSome(line) {
  try {
    return writeSync(1, line);
  } catch (error) {
    if (error.code !== "EAGAIN") throw error;
    Atomics.wait(pause, 0, 0, 2);
    return 0;
  }
}

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Commands are lines of JSON on standard input. When it closes, the process ends, so no peer outlives its test. */
export function onCommand(handle) {
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    if (line.trim() !== "") handle(JSON.parse(line));
  });
  lines.on("close", () => process.exit(0));
}

/**
 * Connects to `host:port`, from `localAddress` if given, whatever name is in the handshake. `ahead` (hex)
 * is sent before the client's bytes, like the header of a proxy.
 */
export function dialler({ host = "127.0.0.1", port, localAddress, ahead = "" }) {
  return (client) => {
    const socket = connect({ host, port, localAddress });
    if (ahead !== "") socket.write(Buffer.from(ahead, "hex"));
    client.setSocket(socket);
  };
}

/** The plain text of a chat component: text, extra and translation keys, from JSON or NBT. */
export function plainText(component) {
  if (component === null || component === undefined) return "";
  if (typeof component === "string") {
    const parsed = parseJson(component);
    return typeof parsed === "object" && parsed !== null ? plainText(parsed) : component;
  }
  if (typeof component !== "object") return String(component);
  if (Array.isArray(component)) return component.map(plainText).join("");
  // NBT as prismarine-nbt reads it: {type, value}.
  if ("type" in component && "value" in component) return plainText(component.value);
  const { text = "", translate = "", extra = [] } = component;
  const own = plainText(text) || plainText(translate);
  return own + plainText(extra);
}

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
