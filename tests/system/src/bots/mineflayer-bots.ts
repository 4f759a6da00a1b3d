import { type PeerHost, wrongCode } from "../minecraft/peer-host.ts";
import type { HostPort } from "../product/palisade.ts";
import { insideWord } from "./inside-server.ts";
import { rejoinText } from "./shields.ts";

export interface MineflayerCrowd {
  readonly edge: HostPort;
  readonly hostname: string;
  readonly versions: readonly string[];
  readonly count: number;
  readonly physics: boolean;
  /** The number of the first one; each has a name and an address of its own. */
  readonly from: number;
  /** Each waits for most of its time: for the edge to give it up. */
  readonly atOnce: number;
}

const networks = 30;

/** Joins with real bots of mineflayer. @returns how many the server let in */
export async function runMineflayer(peers: PeerHost, crowd: MineflayerCrowd): Promise<number> {
  let [begun, inside] = [0, 0];
  const next = async (): Promise<void> => {
    while (begun < crowd.count) if (await tryOne(peers, crowd, begun++)) inside++;
  };
  await Promise.all(Array.from({ length: crowd.atOnce }, next));
  return inside;
}

async function tryOne(peers: PeerHost, crowd: MineflayerCrowd, n: number): Promise<boolean> {
  const { edge, hostname, versions, physics } = crowd;
  const at = crowd.from + n;
  const version = versions[n % versions.length] ?? "1.20.4";
  // Each out of a /24 of its own, in networks that the other bots do not use.
  const from = `127.${220 + (at % networks)}.${Math.floor(at / networks) % 250}.1`;
  const target = { edge, hostname, version, from };
  const player = `${physics ? "Karl" : "Paul"}_of_${at}`;
  const options = {
    ...target,
    player,
    program: "mineflayer",
    physics,
    greeted: true,
    captcha: wrongCode,
  } as const;
  await peers.ping(target);
  // A bot that the edge waits for longer than for any answer of the peers is not in.
  const first = await peers.join(options).catch(() => undefined);
  if (first?.outcome !== "kicked") return first?.outcome === "joined";
  if (!first.text.includes(rejoinText)) return first.text.includes(insideWord);
  const second = await peers.join(options);
  return second.outcome === "kicked" && second.text.includes(insideWord);
}
