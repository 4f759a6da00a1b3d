import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { until } from "@palisade/testing/until";
import { freePort } from "@palisade/testing/free-port";
import { openFilesMax } from "#src/machine/open-files.ts";
import { type Program, startProgram } from "./program.ts";

const program = "/usr/sbin/haproxy";

/** Why HAProxy is not measured; undefined when it is. */
export const haproxyMissing = existsSync(program)
  ? undefined
  : "haproxy is not installed (sudo apt-get install -y haproxy)";

/** A relayed connection has two open files, and a quarter of them a pipe with two more. */
export const haproxyConnectionsMax = Math.min(12_000, Math.floor(openFilesMax / 2.5) - 300);

export interface HaproxyProgram extends Program {
  /** Answers pings. */
  readonly statusPort: number;
  /** Refuses logins. */
  readonly kickPort: number;
  /** Relays everything. */
  readonly relayPort: number;
  /** Relays to the second backend. */
  readonly secondRelayPort: number;
  /** Closes every connection, as for sources of a flood. */
  readonly rejectPort: number;
}

export interface HaproxyOptions {
  readonly statusAnswer: Buffer;
  readonly kick: Buffer;
  readonly backendPort: number;
  readonly secondBackendPort?: number;
}

/**
 * HAProxy with one thread. It does not know Minecraft: a Lua service reads the frames (of the handshake
 * only the length) and sends a prepared answer. The relay is its plain TCP mode, which inspects no byte
 * and splices where that is faster.
 */
export async function startHaproxy(options: HaproxyOptions): Promise<HaproxyProgram> {
  const folder = await createTemporaryFolder("bench-haproxy");
  const ports = {
    statusPort: await freePort(),
    kickPort: await freePort(),
    relayPort: await freePort(),
    secondRelayPort: await freePort(),
    rejectPort: await freePort(),
  };
  const lua = path.join(folder.path, "minecraft.lua");
  const config = path.join(folder.path, "haproxy.cfg");
  await writeFile(lua, luaService(options));
  await writeFile(config, configuration(lua, ports, options));
  const started = startProgram(program, ["-db", "-f", config], { core: "server" });
  started.child.stdout?.resume();
  for (const port of Object.values(ports)) await until(() => isOpen(port), { what: "HAProxy" });
  return {
    ...started,
    ...ports,
    async stop() {
      await started.stop();
      await folder.remove();
    },
  };
}

function configuration(
  lua: string,
  ports: Omit<HaproxyProgram, keyof Program>,
  { backendPort, secondBackendPort = backendPort }: HaproxyOptions,
): string {
  return `global
  nbthread 1
  maxconn ${haproxyConnectionsMax}
  lua-load ${lua}
defaults
  mode tcp
  timeout connect 5s
  timeout client 600s
  timeout server 600s
frontend status
  bind 127.0.0.1:${ports.statusPort} backlog 4096
  tcp-request inspect-delay 3s
  tcp-request content use-service lua.status
frontend kick
  bind 127.0.0.1:${ports.kickPort} backlog 4096
  tcp-request inspect-delay 3s
  tcp-request content use-service lua.kick
frontend relay
  bind 127.0.0.1:${ports.relayPort} backlog 4096
  option splice-auto
  default_backend server
frontend second_relay
  bind 127.0.0.1:${ports.secondRelayPort} backlog 4096
  option splice-auto
  default_backend second_server
frontend reject
  bind 127.0.0.1:${ports.rejectPort} backlog 4096
  tcp-request connection reject
backend server
  option splice-auto
  server one 127.0.0.1:${backendPort}
backend second_server
  option splice-auto
  server one 127.0.0.1:${secondBackendPort}
`;
}

function luaService({ statusAnswer, kick }: HaproxyOptions): string {
  return `local answer = ${luaString(statusAnswer)}
local kick = ${luaString(kick)}

local function frame(applet)
  local length = applet:receive(1)
  if length == nil or #length < 1 then return nil end
  return applet:receive(length:byte(1))
end

core.register_service("status", "tcp", function(applet)
  if frame(applet) == nil or frame(applet) == nil then return end
  applet:send(answer)
  local ping = frame(applet)
  if ping == nil or #ping < 9 then return end
  applet:send(string.char(#ping) .. ping)
end)

core.register_service("kick", "tcp", function(applet)
  if frame(applet) == nil or frame(applet) == nil then return end
  applet:send(kick)
end)
`;
}

function luaString(bytes: Buffer): string {
  return `"${[...bytes].map((byte) => `\\${String(byte).padStart(3, "0")}`).join("")}"`;
}

async function isOpen(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host: "127.0.0.1", port });
  socket.once("connect", () => resolve(true));
  socket.once("error", () => resolve(false));
  const open = await promise;
  socket.destroy();
  return open;
}
