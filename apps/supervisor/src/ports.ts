import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import type { PortSetting } from "./config.ts";
import { type Progress, StartError } from "./progress.ts";

/**
 * Checks that a port is free before anything is started, because a child could only fail.
 *
 * @returns the port for the child; 0 means any free one
 * @throws StartError naming the port and its setting
 */
export async function choosePort(setting: PortSetting, progress: Progress): Promise<number> {
  if (setting.port === 0) return 0;
  for (const protocol of setting.protocols) {
    const code = await tryBind(protocol, setting.host, setting.port);
    if (code === undefined) continue;
    if (setting.mayMove && code === "EADDRINUSE") {
      progress.say(`port ${setting.port} (${setting.name}) is busy, using a free one instead`);
      return 0;
    }
    throw new StartError(explain(setting, protocol, code));
  }
  return setting.port;
}

function explain(setting: PortSetting, protocol: string, code: string): string {
  const what = `${protocol.toUpperCase()} port ${setting.port} on ${setting.host}`;
  if (code === "EADDRINUSE") {
    return `${what} is already used by another program. Set ${setting.name} to another port, or to 0 for any free one.`;
  }
  if (code === "EACCES") {
    return `${what} may not be opened by this user. Set ${setting.name} to a port of 1024 or more.`;
  }
  const host = setting.name.replace(/PORT$/, "HOST");
  return `${what} cannot be opened (${code}). Check ${setting.name} and ${host}.`;
}

/** The code of the error; undefined when the port is free. */
async function tryBind(
  protocol: "tcp" | "udp",
  host: string,
  port: number,
): Promise<string | undefined> {
  try {
    if (protocol === "tcp") {
      const server = createServer();
      server.listen(port, host);
      await once(server, "listening");
      server.close();
      await once(server, "close");
    } else {
      const socket = createSocket(host.includes(":") ? "udp6" : "udp4");
      socket.bind(port, host);
      await once(socket, "listening");
      socket.close();
      await once(socket, "close");
    }
    return undefined;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}
