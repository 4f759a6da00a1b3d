import { runSocketTransfer } from "./socket-transfer-run.ts";

/** `socket-transfer-program.ts <streams>`: in waves, as many at once as there are descriptors for. */

const waveMax = 2_500;
const bytesMax = 60_000;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const streams = Number(process.argv[2]);
let broken = 0;
for (let done = 0; done < streams;) {
  const wave = Math.min(waveMax, streams - done);
  const beganAt = performance.now();
  const result = await runSocketTransfer(wave, bytesMax);
  done += wave;
  broken += result.broken.length + (wave - result.adopted);
  for (const line of result.broken.slice(0, 10)) say(`BROKEN ${line}`);
  const seconds = ((performance.now() - beganAt) / 1_000).toFixed(1);
  say(`${done} streams, ${result.adopted} of the last ${wave} found, ${seconds} s`);
}
say(`streams that did not arrive whole or were not found: ${broken}`);
process.exit(broken === 0 ? 0 : 1);
