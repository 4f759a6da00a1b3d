import { connect } from "node:net";
import { knownReleases } from "@palisade/minecraft-protocol/java/versions";
import { startEdge } from "#src/edge/edge-program.ts";
import { checkedHost, checkingShields, loginAs } from "#src/edge/sample-shields.ts";
import type { Row } from "#src/report/row.ts";
import type { BenchmarkOptions } from "./benchmark.ts";

const level = "high";
/** The shortest name there is, so that little was received. */
const name = "A";
/** As long as a message of an owner may be, in letters of two bytes with a colour for each word. */
const longText = "§cПроверка §eне §aпройдена\n".repeat(90).slice(0, 2_048);
/** The oldest version that is checked. */
const oldest = "1.7.2";

interface Exchanged {
  readonly version: string;
  readonly received: number;
  readonly sent: number;
}

/** Bytes that the edge sends to a client that never answers, to the end of the connection. */
export async function amplificationRows({ say }: BenchmarkOptions): Promise<Row[]> {
  say("challenge: bytes for clients of every version that never answer");
  return [
    await amplificationRow("silent client: bytes sent for each received"),
    await amplificationRow("the same, with the longest text of an owner", longText),
  ];
}

async function amplificationRow(measure: string, text?: string): Promise<Row> {
  const edge = await startEdge(checkingShields(level, text));
  try {
    const versions = knownReleases.slice(knownReleases.findIndex(isOldest));
    const numbers = new Map(versions.map(({ protocol, version }) => [protocol, version]));
    const all = await Promise.all(
      [...numbers].map(([protocol, version], n) => exchanged(edge.port, protocol, version, n)),
    );
    const ratio = ({ sent, received }: Exchanged): number => sent / received;
    const worst = all.reduce((a, b) => (ratio(b) > ratio(a) ? b : a));
    return {
      benchmark: "challenge",
      measure,
      unit: "",
      value: ratio(worst),
      aim: { of: "value", is: "at most", limit: 20 },
      note: `the worst of ${all.length} versions: ${worst.version}, ${worst.sent} bytes for ${worst.received}; login, question and kick`,
    };
  } finally {
    await edge.stop();
  }
}

function isOldest({ version }: { readonly version: string }): boolean {
  return version === oldest;
}

/** @throws when the edge sends nothing */
async function exchanged(
  port: number,
  protocol: number,
  version: string,
  n: number,
): Promise<Exchanged> {
  const login = loginAs(name, { protocol, host: checkedHost(level) });
  const socket = connect({ host: "127.0.0.1", port, localAddress: `127.180.${n}.7` });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once("error", reject);
  socket.once("close", () => resolve());
  let sent = 0;
  socket.on("data", (bytes: Buffer) => {
    sent += bytes.length;
  });
  socket.write(login);
  await promise;
  if (sent === 0) throw new Error(`${version}: the edge sent nothing`);
  return { version, received: login.length, sent };
}
