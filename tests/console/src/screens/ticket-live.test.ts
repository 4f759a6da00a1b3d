import { exampleIds } from "@palisade/contract/reference/example-story";
import { ticketChannel } from "@palisade/contract/http/live-channel";
import { routes } from "@palisade/contract/http/routes";
import type { TicketMessage } from "@palisade/contract/http/tickets";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { createMessage, createTicket, numberedId } from "../stub-api/ticket-examples.ts";
import { composer, expectSoundEverywhere, replyText, thread, ticketPath } from "./ticket-pages.ts";

/** A ticket whose page stays open while others write. */

const fixture = useConsole();
const id = exampleIds.shield;
const channel = ticketChannel(id);
const support = { is_admin: true, name: "Support" };
const news = "New message from support";

const answer = (change: Partial<TicketMessage> = {}) =>
  createMessage({
    id: numberedId(5),
    is_admin: true,
    message: "Try it once more",
    created_at: new Date().toISOString(),
    ...change,
  });

function bring(message: TicketMessage): void {
  const data = { ...message, ticket_id: id, is_internal: false };
  fixture.live.send({ event: "new-message", data });
}

/** In the stub's ticket too, as it is in the database before an event tells of it. */
function write(message: TicketMessage): void {
  const [ticket] = fixture.state.tickets;
  fixture.state.tickets = [createTicket({ messages: [message, ...(ticket?.messages ?? [])] })];
}

const subscriptions = () =>
  fixture.live.received.filter(({ event }) => event === "subscribe").length;
const subscribed = (times = 1) =>
  until(() => subscriptions() === times, { what: `${times} subscriptions` });

async function openLive(prepare?: (page: Page) => Promise<unknown>): Promise<Page> {
  const page = await fixture.open(ticketPath, { prepare });
  await subscribed();
  return page;
}

test("an answer of support appears by itself, once, and is told of", async () => {
  const page = await openLive();
  write(answer());
  bring(answer());
  bring(answer());
  await thread(page).getByText("Try it once more").waitFor();
  await page.getByText(news).waitFor();
  expect(await thread(page).getByText("Try it once more").count()).toBe(1);
  await page.getByText(news).waitFor({ state: "detached" });
  const own = createMessage({
    id: numberedId(6),
    message: "From my phone",
    created_at: answer().created_at,
  });
  write(own);
  bring(own);
  await thread(page).getByText("From my phone").waitFor();
  expect(await page.getByText(news).count()).toBe(0);
});

test("the status changes by itself, and it is seen who is there and writes", async () => {
  const page = await openLive();
  fixture.live.send({ event: "presence", data: { channel, people: [support] } });
  await page.getByText("Support is reading this ticket.").waitFor();
  fixture.live.send({ event: "typing", data: { ...support, channel } });
  await composer(page).getByText("Support is typing…").waitFor();
  await expectSoundEverywhere(page, "support at work");
  await replyText(page).press("a");
  await until(() => fixture.live.received.some(({ event }) => event === "typing"), {
    what: "the user's typing is told",
  });
  const updatedAt = new Date().toISOString();
  fixture.state.tickets = [createTicket({ status: "resolved", updated_at: updatedAt })];
  fixture.live.send({
    event: "status-updated",
    data: { ticket_id: id, status: "resolved", updated_at: updatedAt },
  });
  await page.getByText("Resolved").first().waitFor();
});

test("messages that were written during a gap are there after it, once", async () => {
  const page = await openLive((opened) => opened.clock.install());
  await fixture.live.drop(1001);
  await page.getByText("Connection error. Some features may not work properly.").waitFor();
  await expectSoundEverywhere(page, "a lost connection");
  write(answer());
  await page.clock.runFor(4_000);
  await subscribed(2);
  await thread(page).getByText("Try it once more").waitFor();
  bring(answer());
  await page.getByText("Connection error.").waitFor({ state: "detached" });
  expect(await thread(page).getByText("Try it once more").count()).toBe(1);
});

test("after five tries a button connects again", async () => {
  const page = await openLive((opened) => opened.clock.install());
  fixture.api.refuse(routes.liveChannel.createLiveToken, "internal");
  await fixture.live.drop(1001);
  const lost = page.getByText("Connection lost. Please refresh the page.");
  await until(
    async () => {
      await page.clock.runFor(3_000);
      return (await lost.count()) === 1;
    },
    { what: "the tries run out" },
  );
  expect(fixture.api.callsOf(routes.liveChannel.createLiveToken)).toHaveLength(6);
  await expectSoundEverywhere(page, "no connection");
  fixture.api.restore(routes.liveChannel.createLiveToken);
  await page.getByRole("button", { name: "Reconnect" }).click();
  await subscribed(2);
  await lost.waitFor({ state: "detached" });
});

test("a refused login is said and not tried again by itself", async () => {
  fixture.live.refusesWith = 1008;
  const page = await fixture.open(ticketPath);
  await page.getByText("Authentication failed. Please refresh the page.").waitFor();
  fixture.live.refusesWith = null;
  expect(fixture.live.received).toEqual([]);
  await page.getByRole("button", { name: "Reconnect" }).click();
  await subscribed();
});
