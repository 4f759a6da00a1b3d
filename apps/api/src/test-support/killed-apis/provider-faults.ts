import { shuffled } from "@palisade/testing/seeded-random";
import type { ApiProcess } from "../api-process.ts";
import type { KilledWorld } from "./killed-world.ts";

export type Random = (below: number) => number;

/** Answers of the providers that fail or get lost. */
export function injectFaults({ stripe, paypal }: KilledWorld, random: Random): void {
  const calls = [
    /POST .*\/checkout\/sessions$/,
    /GET .*\/checkout\/sessions/,
    /POST .*\/payment_intents$/,
    /POST .*\/confirm$/,
    /GET .*\/payment_intents/,
    /POST .*\/refunds$/,
    /GET .*\/refunds/,
    /GET .*\/disputes/,
  ];
  for (const call of calls) {
    if (random(3) === 0) stripe.inject(random(2) === 0 ? "500" : "lost", call, 1 + random(2));
  }
  for (const on of [/^POST .*orders$/, /^POST .*capture$/, /^GET .*orders/]) {
    const kinds = ["500", "503", "lost-answer", "no-answer", "in-progress"] as const;
    if (random(3) === 0) paypal.addFaults({ on, kind: kinds[random(kinds.length)] ?? "500" });
  }
}

/** Events of Stripe get lost, those of PayPal come at last: it has no list of them to read. */
export async function deliverEvents(world: KilledWorld, random: Random): Promise<void> {
  const { stripe, paypal, queued } = world;
  const sent = queued.splice(0).filter(({ type }) => type !== "payment_intent.created");
  const deliveries = sent.flatMap((event) =>
    Array.from({ length: [0, 1, 1, 1, 2, 3][random(6)] ?? 1 }, () => ({
      path: "stripe",
      ...stripe.delivery(event),
    })),
  );
  const ofPaypal = paypal.webhooks.events.slice(world.paypalDelivered);
  world.paypalDelivered += ofPaypal.length;
  for (const event of ofPaypal) {
    const { body, headers } = paypal.webhooks.deliveryOf(event);
    for (let time = 1 + random(2); time > 0; time -= 1) {
      deliveries.push({ path: "paypal", body, headers } as never);
    }
  }
  const apis = [world.dying ?? world.other, world.first];
  await Promise.all(
    shuffled(deliveries, random).map(async ({ path, body, headers }, index) => {
      const accepted = await post(apis[index % 2], path, body, headers);
      if (!accepted && path === "paypal") await post(world.first, path, body, headers);
    }),
  );
}

async function post(
  api: ApiProcess | undefined,
  path: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<boolean> {
  const answer = await fetch(`${api?.url}/api/v1/webhooks/${path}`, {
    method: "POST",
    headers,
    body,
  }).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.ok === true;
}
