import { generateKeyPairSync, randomUUID, sign, verify } from "node:crypto";
import { crc32 } from "node:zlib";

export interface PaypalEvent {
  readonly id: string;
  readonly type: string;
  readonly body: string;
}

/** An event as it travels. */
export interface PaypalDelivery {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface PaypalWebhooksOptions {
  readonly webhookId: string;
  readonly origin: () => string;
  readonly now: () => Date;
}

/** Events of PayPal's stand-in, signed as PayPal signs: RSA over ids, time and the body's CRC. */
export function createPaypalWebhooks({ webhookId, origin, now }: PaypalWebhooksOptions) {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const events: PaypalEvent[] = [];
  const failures: string[] = [];
  const underWay = new Set<Promise<void>>();
  let url: string | undefined;
  let isHeld = false;
  const held: PaypalEvent[] = [];

  const signedText = (transmissionId: string, time: string, body: string): Buffer =>
    Buffer.from(`${transmissionId}|${time}|${webhookId}|${crc32(Buffer.from(body))}`);

  /** A delivery of an event; each one has a transmission id of its own. */
  function deliveryOf({ body }: Pick<PaypalEvent, "body">): PaypalDelivery {
    const transmissionId = randomUUID();
    const time = now()
      .toISOString()
      .replace(/\.\d+Z$/, "Z");
    return {
      body,
      headers: {
        "content-type": "application/json",
        "paypal-auth-algo": "SHA256withRSA",
        "paypal-cert-url": `${origin()}/v1/notifications/certs/CERT-360caa42-fca2a594-7a47ba21`,
        "paypal-transmission-id": transmissionId,
        "paypal-transmission-sig": sign(
          "sha256",
          signedText(transmissionId, time, body),
          privateKey,
        ).toString("base64"),
        "paypal-transmission-time": time,
      },
    };
  }

  async function post(event: PaypalEvent): Promise<void> {
    if (url === undefined) return;
    const { body, headers } = deliveryOf(event);
    try {
      const answer = await fetch(url, { method: "POST", headers, body, redirect: "error" });
      await answer.body?.cancel();
      if (!answer.ok) failures.push(`${event.type}: ${answer.status}`);
    } catch (error) {
      failures.push(`${event.type}: ${String(error)}`);
    }
  }

  function deliver(event: PaypalEvent): Promise<void> {
    const sent = post(event).finally(() => underWay.delete(sent));
    underWay.add(sent);
    return sent;
  }

  return {
    events: events as readonly PaypalEvent[],
    /** Deliveries that were not answered with 2xx. */
    failures: failures as readonly string[],
    deliveryOf,
    deliver,
    /** From now on events go there. */
    sendTo(address: string | undefined): void {
      url = address;
    },
    /** Keeps events back until `release`. */
    hold(): void {
      isHeld = true;
    },
    /** Sends what was kept back, also in reverse, and each as often as asked. */
    async release({ times = 1, reversed = false } = {}): Promise<void> {
      isHeld = false;
      const waiting = held.splice(0);
      for (const event of reversed ? waiting.toReversed() : waiting) {
        for (let time = 0; time < times; time += 1) await deliver(event);
      }
    },
    send(type: string, resourceType: string, resource: object): void {
      const id = `WH-${randomUUID().toUpperCase()}`;
      // Spaces that a parser would lose: the signature is of these bytes.
      const body = JSON.stringify(
        {
          id,
          event_version: "1.0",
          create_time: now().toISOString(),
          resource_type: resourceType,
          event_type: type,
          summary: `Event ${type}`,
          resource,
        },
        null,
        1,
      );
      const event = { id, type, body };
      events.push(event);
      if (isHeld) held.push(event);
      else void deliver(event);
    },
    /** PayPal's own check, which takes the event's bytes as they stand in the request. */
    verifies(request: string): boolean {
      const marker = '"webhook_event":';
      const at = request.indexOf(marker);
      if (at === -1) return false;
      const body = request.slice(at + marker.length, request.lastIndexOf("}"));
      const head = JSON.parse(`${request.slice(0, at)}"webhook_event":{}}`) as Record<
        string,
        string | undefined
      >;
      if (head["webhook_id"] !== webhookId || head["auth_algo"] !== "SHA256withRSA") return false;
      const text = signedText(head["transmission_id"] ?? "", head["transmission_time"] ?? "", body);
      const signature = Buffer.from(head["transmission_sig"] ?? "", "base64");
      return verify("sha256", text, publicKey, signature);
    },
    async settled(): Promise<void> {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}

export type PaypalWebhooks = ReturnType<typeof createPaypalWebhooks>;
