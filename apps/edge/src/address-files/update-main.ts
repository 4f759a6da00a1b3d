import { parseArgs } from "node:util";
import { readVpnUpdateConfig, type VpnUpdateConfig } from "#src/config.ts";
import { updateLists } from "./update-lists.ts";

/** `npm run vpn:update [-- --force]` */

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const nothingToDo = `PALISADE_VPN_SOURCES names no lists, so there is nothing to download.

  PALISADE_VPN_SOURCES=hosting.txt=https://lists.example.org/hosting.txt,asn.mmdb=https://...

docs/operations/anti-vpn.md says more.`;

function readOptions(): { readonly config: VpnUpdateConfig; readonly force: boolean } | undefined {
  try {
    const { values } = parseArgs({ options: { force: { type: "boolean", default: false } } });
    return { config: readVpnUpdateConfig(), force: values.force };
  } catch (error) {
    say(error instanceof Error ? error.message : "usage: npm run vpn:update [-- --force]");
    return undefined;
  }
}

async function run(): Promise<number> {
  const options = readOptions();
  if (options === undefined) return 2;
  const { config, force } = options;
  if (config.sources.length === 0) {
    say(nothingToDo);
    return 1;
  }
  return (await updateLists({ ...config, force, say })) ? 0 : 1;
}

process.exitCode = await run();
