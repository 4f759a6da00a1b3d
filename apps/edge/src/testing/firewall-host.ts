import { createServer } from "node:net";
import type { Ban } from "#src/rules/abuse-detector.ts";
import { NftTable } from "#src/firewall/nft-table.ts";

/**
 * An edge's table and two listeners in a network namespace of their own. Messages in: one of
 * `HostOrder`; out: `{ id, ... }` with what it led to.
 */
export type HostOrder =
  | { readonly do: "listen" }
  | {
      readonly do: "create";
      readonly name: string;
      readonly host?: string;
      readonly never?: readonly string[];
    }
  | { readonly do: "ban"; readonly bans: readonly Ban[] }
  | { readonly do: "replace"; readonly bans: readonly Ban[] }
  | { readonly do: "ports"; readonly ports: readonly number[] }
  | { readonly do: "drops" }
  | { readonly do: "close" };

let table: NftTable | undefined;

function theTable(): NftTable {
  if (table === undefined) throw new Error("no table was made");
  return table;
}

async function follow(order: HostOrder): Promise<object> {
  switch (order.do) {
    case "listen":
      return { ports: [await listen(), await listen()] };
    case "create": {
      const result = await NftTable.create({
        name: order.name,
        host: order.host,
        never: order.never ?? [],
      });
      if (!result.ok) return { reason: result.reason };
      table = result.table;
      return {};
    }
    case "ban":
      await theTable().ban(order.bans);
      return { failures: theTable().drops.failures };
    case "replace":
      await theTable().replaceBans(order.bans);
      return { failures: theTable().drops.failures };
    case "ports":
      await theTable().setPorts(order.ports);
      return { failures: theTable().drops.failures };
    case "drops":
      await theTable().readDrops();
      return { drops: theTable().drops, isBehind: theTable().isBehind };
    case "close":
      await theTable().close();
      return {};
  }
}

async function listen(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.pipe(socket);
  });
  server.listen(0, "::", () => {
    const address = server.address();
    resolve(typeof address === "object" ? (address?.port ?? 0) : 0);
  });
  return promise;
}

process.on("message", (message: { id: number; order: HostOrder }) => {
  void follow(message.order).then(
    (answer) => process.send?.({ id: message.id, ...answer }),
    (error: unknown) => process.send?.({ id: message.id, failure: String(error) }),
  );
});
process.on("disconnect", () => process.exit());
process.send?.({ id: 0 });
