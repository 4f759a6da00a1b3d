import { randomUUID } from "node:crypto";
import { probeResult, type ProbeResult } from "@palisade/contract/edge/probe";
import { encodeStatusResponse } from "@palisade/minecraft-protocol/java/status";
import { until } from "@palisade/testing/until";
import { afterEach, expect, test } from "vitest";
import { startTestBackend } from "#src/testing/test-backend.ts";
import { startTestEdge } from "#src/testing/test-edge.ts";

const token = "palisade-proof=4f1c0a9d2b7e83650c1d9e2f7a6b5c43";
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

/** The edge's view of a backend, which is asked for the token. */
async function look(
  backend: Parameters<typeof startTestBackend>[0],
  proof_token: string | null = token,
): Promise<ProbeResult> {
  const edge = await startTestEdge();
  const server = await startTestBackend(backend);
  stops.push(edge.stop, server.stop);
  let seen: ProbeResult | undefined;
  const request = {
    id: randomUUID(),
    host: "127.0.0.1",
    port: server.port,
    hostname: "play.example.org",
    protocol: 767,
    proxy: "without",
    deadline_ms: 5_000,
    ...(proof_token === null ? {} : { proof_token }),
  } as const;
  edge.probes.take(request, (result) => (seen = probeResult.parse(result)));
  await until(() => server.state.connections > 0);
  // A server that says nothing by itself is asked for its status once this time is over.
  edge.advance(1_600);
  return until(() => seen);
}

/** Says this by itself, in pieces, and then nothing. */
const saying =
  (...pieces: string[]) =>
  (socket: { write(piece: string): unknown }): void => {
    for (const piece of pieces) socket.write(piece);
  };

const motd = (description: string) => ({
  status: () => encodeStatusResponse(JSON.stringify({ description, players: {} })),
});

test("the first bytes of a server that greets with the token prove its address", async () => {
  const { proven } = await look({ onRaw: saying(token.slice(0, 9), `${token.slice(9)}\r\n`) });
  expect(proven).toEqual({ by: "greeting", address: "127.0.0.1" });
});

test.each([
  ["another token", saying(token.replace("4f", "5e"))],
  ["the token behind other bytes", saying(`220 ${token}`)],
  ["only the beginning of it", saying(token.slice(0, 20))],
  ["what it hears", (socket: NodeJS.Socket) => void socket.pipe(socket)],
])("a server that says %s proves nothing", async (_what, onRaw) => {
  expect((await look({ onRaw })).proven).toBeNull();
});

test("a MOTD with the token proves the address, whatever its colours, and no other MOTD does", async () => {
  const coloured = `§aHello §l${token.slice(0, 20)}§r${token.slice(20)}`;
  expect((await look(motd(coloured))).proven).toEqual({ by: "motd", address: "127.0.0.1" });
  expect((await look(motd("Hello"))).proven).toBeNull();
  expect((await look(motd(coloured), null)).proven).toBeNull();
});
