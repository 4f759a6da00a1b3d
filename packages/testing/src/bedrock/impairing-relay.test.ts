import { createHash, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { until } from "../until.ts";
import { DatagramImpairment } from "./datagram-impairment.ts";
import { ImpairingRelay } from "./impairing-relay.ts";
import { RakNetClient } from "./raknet-client.ts";
import { RakNetServer } from "./raknet-server.ts";

const shares = { loss: 0.1, duplicate: 0.1, reorder: 0.2 };

function passed(seed: number): number[] {
  const impairment = new DatagramImpairment({ seed, ...shares });
  const out: number[] = [];
  for (let value = 0; value < 200; value += 1) {
    impairment.pass(Buffer.from([value]), (bytes) => out.push(bytes.readUInt8(0)));
  }
  return out;
}

test("the same seed impairs the same datagrams, and every kind of impairment occurs", () => {
  const out = passed(7);
  expect(passed(7)).toEqual(out);
  expect(passed(8)).not.toEqual(out);
  expect(new Set(out).size).toBeLessThan(200);
  expect(out.some((value, index) => value === out[index - 1])).toBe(true);
  expect(out.some((value, index) => value < (out[index - 1] ?? 0))).toBe(true);
});

test("without shares, every datagram passes once and in order", () => {
  const impairment = new DatagramImpairment({ seed: 1 });
  const out: string[] = [];
  for (const text of ["a", "b", "c"]) {
    impairment.pass(Buffer.from(text), (bytes) => out.push(bytes.toString()));
  }
  expect(out).toEqual(["a", "b", "c"]);
});

test("sessions through the relay keep their contents, and it knows every datagram of each", async () => {
  const server = await RakNetServer.listen({ isEcho: true, hasCookie: true, isRecording: true });
  const relay = await ImpairingRelay.listen({
    target: server.address,
    seed: 5,
    ...shares,
    isRecording: true,
  });
  const clients = await Promise.all(
    [1, 2, 3].map(() => RakNetClient.open({ ...relay.address, retryMs: 50 })),
  );
  try {
    await Promise.all(clients.map((client) => echoes(client)));
    const hashes = (lists: Iterable<readonly Buffer[]>): string[] =>
      [...lists].map((datagrams) => hashOf(datagrams)).toSorted();
    const sent = [...relay.sources.values()].map(({ toTarget }) => toTarget);
    await until(
      () => {
        expect(hashes(server.received.values())).toEqual(hashes(sent));
        return true;
      },
      { what: "the last datagrams" },
    );
  } finally {
    await Promise.all([...clients, server].map((peer) => peer.abandon()));
    await relay.close();
  }
});

async function echoes(client: RakNetClient): Promise<void> {
  await client.connect();
  const messages = Array.from({ length: 20 }, () =>
    Buffer.concat([Buffer.from([0xfe]), randomBytes(3_000)]),
  );
  const back: Buffer[] = [];
  client.on("message", (body) => back.push(body));
  for (const message of messages) client.sendReliable(message);
  await until(() => back.length === messages.length, { what: "every echo" });
  expect(hashOf(back)).toBe(hashOf(messages));
}

function hashOf(datagrams: readonly Buffer[]): string {
  const hash = createHash("sha256");
  for (const datagram of datagrams) hash.update(`${datagram.length} `).update(datagram);
  return hash.digest("hex");
}
