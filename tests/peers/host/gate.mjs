import { createServer } from "node:net";

/** PROXY protocol, version 2: https://www.haproxy.org/download/3.2/doc/proxy-protocol.txt, 2.2. */
const signature = Buffer.from("0d0a0d0a000d0a515549540a", "hex");
const fixedBytes = 16;
const addressBytes = new Map([
  [0x11, 4],
  [0x21, 16],
]);

/**
 * Listens in front of a server of this process and passes connections on. With `proxy` it is as strict as
 * a game server with `proxy-protocol: true`: it closes connections that do not begin with a complete,
 * valid PROXY v2 header. `onConnection` gets the kind of each one: `player` with address and port,
 * `local` (a health check), `plain` (no header expected), or the reason why it was `refused`.
 */
export function openGate({ port, host, proxy, handOn, onConnection, onListening, onError }) {
  const sockets = new Set();
  const gate = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    if (!proxy) {
      onConnection({ kind: "plain" });
      handOn(socket);
      return;
    }
    readHeader(socket, (header) => {
      onConnection(header);
      if (header.kind === "refused") socket.destroy();
      else handOn(socket);
    });
  });
  gate.on("error", onError);
  gate.listen(port, host, () => onListening(gate.address().port));
  return {
    /** Like a kill of the program: stops listening and breaks every connection. */
    close() {
      gate.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function readHeader(socket, settle) {
  let head = Buffer.alloc(0);
  const finish = (header, end = head.length) => {
    socket.off("data", read);
    socket.off("end", gone);
    socket.pause();
    if (end < head.length) socket.unshift(head.subarray(end));
    settle(header);
  };
  const read = (chunk) => {
    head = Buffer.concat([head, chunk]);
    const known = head.subarray(0, signature.length);
    if (!known.equals(signature.subarray(0, known.length))) {
      finish({ kind: "refused", why: "no header" });
      return;
    }
    const end = head.length < fixedBytes ? Infinity : fixedBytes + head.readUInt16BE(14);
    if (head.length >= end) finish(parse(head.subarray(12, end)), end);
  };
  // A port scan, or a connection that is closed again, sends nothing.
  const gone = () => finish({ kind: "refused", why: "closed before a header" });
  socket.on("data", read);
  socket.on("end", gone);
}

function parse(rest) {
  const [command, family] = rest;
  if (command === 0x20) return { kind: "local" };
  const bytes = addressBytes.get(family);
  const body = rest.subarray(4);
  if (command !== 0x21 || bytes === undefined || body.length < 2 * bytes + 4) {
    return { kind: "refused", why: `malformed: ${rest.toString("hex")}` };
  }
  const address = addressText(body.subarray(0, bytes));
  return { kind: "player", address, port: body.readUInt16BE(2 * bytes) };
}

function addressText(bytes) {
  if (bytes.length === 4) return bytes.join(".");
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(2 * at).toString(16));
  // The URL parser writes IPv6 in its canonical form.
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}
