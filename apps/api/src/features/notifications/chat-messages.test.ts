import { until } from "@palisade/testing/until";
import { describe, expect, test } from "vitest";
import { newId } from "#src/platform/database/ids.ts";
import {
  deliveryOf,
  type DeliveriesOfTest,
  eachTestDelivers,
  sendDeliveryAgain,
  webhookOf,
} from "#src/test-support/test-deliveries.ts";

let at: DeliveriesOfTest;
eachTestDelivers((current) => (at = current));

describe("a chat shows one message of an attack", () => {
  const embed = (title: string) =>
    JSON.stringify({ embeds: [{ title }], flags: 4_096, allowed_mentions: { parse: [] } });

  test("Discord's is edited at its end, and sent anew where it was deleted", async () => {
    const webhookId = await at.webhookTo("/api/webhooks/1/token", "discord");
    const thread = newId();
    at.receiver.answer((response) => response.writeHead(200).end(`{"id":"777"}`));
    const sending = at.worker();
    await at.queue(webhookId, { thread, body: embed("begun") });
    await sending.run();
    await at.queue(webhookId, { thread, body: embed("over"), kind: "attack.ended" });
    await sending.run();
    at.receiver.answer((response, { method }) =>
      method === "PATCH"
        ? response.writeHead(404).end(`{"code": 10008}`)
        : response.writeHead(200).end(`{"id":"778"}`),
    );
    await at.queue(webhookId, { thread, body: embed("again"), kind: "attack.ended" });
    await sending.run();
    expect(at.receiver.received.map(({ method, url }) => [method, url])).toEqual([
      ["POST", "/api/webhooks/1/token?wait=true"],
      ["PATCH", "/api/webhooks/1/token/messages/777"],
      ["PATCH", "/api/webhooks/1/token/messages/777"],
      ["POST", "/api/webhooks/1/token?wait=true"],
    ]);
    expect(at.receiver.received[1]?.body).not.toContain("flags");
    expect((await webhookOf(at.testApp, webhookId)).enabled).toBe(true);
  });

  test("Telegram's is edited by its id; that nothing has changed is no failure", async () => {
    const webhookId = await at.webhookTo("/bot1:token/sendMessage?chat_id=-100", "telegram");
    const thread = newId();
    const body = JSON.stringify({ text: "<b>x</b>", disable_notification: true });
    at.receiver.answer((response) =>
      response.writeHead(200).end(`{"ok":true,"result":{"message_id":5}}`),
    );
    const sending = at.worker();
    await at.queue(webhookId, { thread, body });
    await sending.run();
    at.receiver.answer((response) =>
      response
        .writeHead(400)
        .end(`{"ok":false,"description":"Bad Request: message is not modified"}`),
    );
    const id = await at.queue(webhookId, { thread, body, kind: "attack.ended" });
    await sending.run();
    expect(at.receiver.received.map(({ url, body: sent }) => [url, JSON.parse(sent)])).toEqual([
      [
        "/bot1:token/sendMessage",
        { chat_id: "-100", text: "<b>x</b>", disable_notification: true },
      ],
      ["/bot1:token/editMessageText", { chat_id: "-100", message_id: 5, text: "<b>x</b>" }],
    ]);
    expect((await deliveryOf(at.testApp, id)).state).toBe("delivered");
  });

  test("while the chat was away, its end takes the place of its start", async () => {
    const webhookId = await at.webhookTo("/api/webhooks/1/token", "discord");
    const thread = newId();
    at.receiver.answer((response) => response.writeHead(503).end());
    const start = await at.queue(webhookId, { thread, body: embed("begun") });
    const sending = at.worker();
    await sending.run();
    at.receiver.answer((response) => response.writeHead(200).end(`{"id":"779"}`));
    const end = await at.queue(webhookId, { thread, body: embed("over"), kind: "attack.ended" });
    await sending.run();
    at.testApp.clock.advance(86_400_000);
    await sending.run();
    expect([
      (await deliveryOf(at.testApp, start)).state,
      (await deliveryOf(at.testApp, end)).state,
    ]).toEqual(["superseded", "delivered"]);
    expect(at.receiver.received.map(({ method }) => method)).toEqual(["POST", "POST"]);
  });

  test("sent again by hand, the first one is a new message, and the newest stays", async () => {
    const webhookId = await at.webhookTo("/api/webhooks/1/token", "discord");
    const thread = newId();
    at.receiver.answer((response) => response.writeHead(200).end(`{"id":"781"}`));
    const sending = at.worker();
    const first = await at.queue(webhookId, { thread, body: embed("begun") });
    await sending.run();
    await at.queue(webhookId, { thread, body: embed("over"), kind: "attack.ended" });
    await sending.run();
    await sendDeliveryAgain(at.testApp, first);
    at.receiver.answer((response) => response.writeHead(200).end(`{"id":"782"}`));
    await sending.run();
    await at.queue(webhookId, { thread, body: embed("later"), kind: "attack.ended" });
    await sending.run();
    expect(at.receiver.received.map(({ method, url }) => [method, url.split("/").at(-1)])).toEqual([
      ["POST", "token?wait=true"],
      ["PATCH", "781"],
      ["POST", "token?wait=true"],
      ["PATCH", "781"],
    ]);
  });

  test("two messages of one attack that are due together are sent one after the other", async () => {
    const webhookId = await at.webhookTo("/api/webhooks/1/token", "discord");
    const thread = newId();
    at.receiver.answer((response) => response.writeHead(503).end());
    await at.queue(webhookId, { thread, body: embed("begun") });
    const sending = at.worker();
    await sending.run();
    const answers: (() => void)[] = [];
    at.receiver.answer((response) =>
      answers.push(() => response.writeHead(200).end(`{"id":"780"}`)),
    );
    at.testApp.clock.advance(86_400_000);
    await at.queue(webhookId, { thread, body: embed("over"), kind: "attack.ended" });
    const done = sending.run();
    for (const count of [2, 3]) {
      await until(() => answers.length === 1);
      expect(at.receiver.received).toHaveLength(count);
      answers.pop()?.();
    }
    await done;
    expect(at.receiver.received.map(({ method }) => method)).toEqual(["POST", "POST", "PATCH"]);
  });

  test("Slack, which cannot edit, gets one at the start and one at the end", async () => {
    const webhookId = await at.webhookTo("/services/T/B/x", "slack");
    const thread = newId();
    const sending = at.worker();
    for (const text of ["begun", "over"]) {
      await at.queue(webhookId, { thread, body: JSON.stringify({ text }) });
      await sending.run();
    }
    expect(at.receiver.received.map(({ body }) => JSON.parse(body).text)).toEqual([
      "begun",
      "over",
    ]);
  });
});

test("no address and no secret of a webhook is in the log", () => {
  const log = at.logLines.join();
  for (const word of ["token", "whsec_", "/hook", "/slow", "/secret"])
    expect(log).not.toContain(word);
});
