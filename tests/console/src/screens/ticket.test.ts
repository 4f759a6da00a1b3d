import { exampleIds } from "@palisade/contract/reference/example-story";
import { routes } from "@palisade/contract/http/routes";
import { sampledAppearances } from "@palisade/system-tests/screens/samples";
import { expectSound, isInWindow } from "@palisade/system-tests/screens/inspect";
import { until } from "@palisade/testing/until";
import { expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import {
  closedWith,
  createMessage,
  createTicket,
  image,
  numberedId,
} from "../stub-api/ticket-examples.ts";
import {
  chooseFiles,
  composer,
  expectSoundEverywhere,
  replyText,
  support,
  textFile,
  thread,
  ticketPath,
} from "./ticket-pages.ts";

/** One ticket: the conversation with its files, replies, closing and reopening. */

const { tickets } = routes;
const fixture = useConsole();
const send = { name: "Send", exact: true };
const soon = () => new Date(Date.now() + 3 * 86_400_000).toISOString();

function withImage(): void {
  fixture.state.tickets = [
    createTicket({
      messages: [
        createMessage({
          id: numberedId(2),
          is_admin: true,
          message: "Is it this?",
          attachments: [image],
        }),
        createMessage(),
      ],
    }),
  ];
}

test("the conversation is newest first, and answers of staff are marked", async () => {
  fixture.state.tickets = [
    createTicket({
      server: { id: exampleIds.shield, name: "Skyline" },
      has_snapshot: true,
      messages: [
        createMessage({
          id: numberedId(3),
          source: "mail",
          message: `${"long".repeat(90)}\n\nhttps://example.com/a.`,
        }),
        createMessage({ id: numberedId(2), is_admin: true, message: "Which version?" }),
        createMessage(),
      ],
    }),
  ];
  const page = await fixture.open(ticketPath);
  const articles = thread(page).getByRole("article");
  expect(await articles.nth(1).innerText()).toMatch(/Admin\s*STAFF[\s\S]*Which version\?/);
  const own = articles.nth(0);
  await own.getByRole("img", { name: "Sent by e-mail" }).waitFor();
  expect(await own.getByRole("link").getAttribute("href")).toBe("https://example.com/a");
  const side = page.getByRole("region", { name: "Ticket details" });
  for (const text of ["#1042", "Technical", "High", "Skyline", "Members"]) {
    await side.getByText(text, { exact: true }).waitFor();
  }
  await expectSoundEverywhere(page, "a conversation");
});

test.each(sampledAppearances)(
  "an image is shown, and larger on a press ($theme, $locale)",
  async (look) => {
    withImage();
    const page = await fixture.open(ticketPath, look);
    const picture = page.getByRole("img", { name: image.original_name });
    await until(
      () => picture.evaluate((shown) => Number(Reflect.get(shown, "naturalWidth")) === 64),
      {
        what: "the picture",
      },
    );
    expect(await picture.getAttribute("src")).toMatch(/^blob:/);
    expect(fixture.api.callsOf(tickets.viewAttachment)[0]?.headers["authorization"]).toMatch(
      /^Bearer /,
    );
    await expectSound(page, "a ticket with an image");
    await picture.click();
    await page.getByRole("dialog", { name: image.original_name }).waitFor();
    await expectSound(page, "a large image");
  },
);

test("an image that does not load says so, and loads at another try", async () => {
  withImage();
  fixture.api.refuse(tickets.viewAttachment, "not_found");
  const page = await fixture.open(ticketPath);
  const alert = page.getByRole("alert").filter({ hasText: "Failed to load image" });
  await alert.waitFor();
  await expectSoundEverywhere(page, "an image that failed");
  fixture.api.restore(tickets.viewAttachment);
  await alert.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("button", { name: `Show ${image.original_name} larger` }).waitFor();
});

test("other files are downloaded with the token, by their own name", async () => {
  const page = await fixture.open(ticketPath);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download latest.log" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("latest.log");
});

test("a reply survives a reload and a failure, and is sent and shown once", async () => {
  const page = await fixture.open(ticketPath);
  await replyText(page).fill("1.21.4, all of them");
  await page.reload();
  expect(await replyText(page).inputValue()).toBe("1.21.4, all of them");
  await chooseFiles(page, [textFile("more.txt")]);
  fixture.api.cut(tickets.replyToTicket);
  await replyText(page).press("Control+Enter");
  await page.getByText("Error sending message").waitFor();
  expect(await replyText(page).inputValue()).toBe("1.21.4, all of them");
  fixture.api.restore(tickets.replyToTicket);
  const release = fixture.api.delay(tickets.replyToTicket);
  await replyText(page).press("Control+Enter");
  await composer(page).getByText("Sending…").waitFor();
  await replyText(page).press("Control+Enter");
  await expectSoundEverywhere(page, "a reply on its way");
  release();
  await page.getByText("Message sent successfully").waitFor();
  await thread(page).getByText("1.21.4, all of them").waitFor();
  expect(await thread(page).getByText("1.21.4, all of them").count()).toBe(1);
  expect(await replyText(page).inputValue()).toBe("");
  const sent = fixture.api.callsOf(tickets.replyToTicket);
  expect(new Set(sent.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  // The browser itself tries again, too.
  expect(sent.length).toBeGreaterThan(1);
  await page.reload();
  expect(await replyText(page).inputValue()).toBe("");
});

test("a reply needs a text or a file", async () => {
  const page = await fixture.open(ticketPath);
  await composer(page).getByRole("button", send).click();
  await composer(page).getByText("Please enter a message or attach files").waitFor();
  await expectSoundEverywhere(page, "an empty reply");
  await chooseFiles(page, [textFile("only.txt")]);
  await composer(page).getByRole("button", send).click();
  await page.getByText("Message sent successfully").waitFor();
  expect(fixture.api.callsOf(tickets.replyToTicket)[0]?.files?.[0]?.name).toBe("only.txt");
});

test("on phones the reply stays in reach while the conversation scrolls", async () => {
  fixture.state.tickets = [
    createTicket({
      messages: Array.from({ length: 20 }, (_, n) =>
        createMessage({ id: numberedId(40 - n), message: `Line ${n}\n`.repeat(5) }),
      ),
    }),
  ];
  const page = await fixture.open(ticketPath, { width: 390 });
  const button = composer(page).getByRole("button", send);
  expect(await isInWindow(button)).toBe(true);
  await page.evaluate("scrollTo(0, 1200)");
  expect(await isInWindow(button)).toBe(true);
});

test("a ticket is closed after a question, rated and reopened", async () => {
  const page = await fixture.open(ticketPath);
  await replyText(page).fill("It works now");
  await page.getByRole("button", { name: "Close", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Close the ticket?" });
  await expectSoundEverywhere(page, "closing a ticket");
  await dialog.getByRole("button", { name: "Close ticket" }).click();
  await page.getByText("Ticket closed successfully").waitFor();
  await page.waitForURL((url) => url.pathname === support);
  await page.getByRole("link", { name: /Players time out at the login Closed/ }).click();
  await page.getByText("Ticket closed!").waitFor();
  expect(await page.getByRole("button", { name: "Close", exact: true }).count()).toBe(0);
  await page.getByRole("radio", { name: "Very good" }).check();
  await page.getByRole("textbox", { name: /^What could we do better/ }).fill("Be quicker");
  await expectSoundEverywhere(page, "a closed ticket");
  await page.getByRole("button", { name: "Send answer" }).click();
  await page.getByText("Your answer about our help: Very good").waitFor();
  expect(fixture.api.callsOf(tickets.rateTicket)[0]?.body).toEqual({
    score: 5,
    comment: "Be quicker",
  });
  await page.getByRole("button", { name: "Reopen" }).click();
  await page.getByText("Ticket reopened").waitFor();
  expect(await replyText(page).inputValue()).toBe("It works now");
});

test("a reply to a ticket that was closed before it is refused and kept", async () => {
  const page = await fixture.open(ticketPath);
  await replyText(page).fill("One more thing");
  fixture.state.tickets = [createTicket(closedWith(soon()))];
  await composer(page).getByRole("button", send).click();
  await page.getByText("This ticket is closed. You cannot send messages.").waitFor();
  await page.getByRole("button", { name: "Reopen" }).click();
  await until(async () => (await replyText(page).inputValue()) === "One more thing", {
    what: "the kept reply",
  });
});

test("after the time to reopen it, a closed ticket leads to a new one", async () => {
  fixture.state.tickets = [createTicket(closedWith(null))];
  const page = await fixture.open(ticketPath);
  await page.getByText("It can no longer be reopened.").waitFor();
  await expectSoundEverywhere(page, "a ticket closed for good");
  await page.getByRole("link", { name: "New ticket" }).click();
  const subject = page.locator('[name="subject"]');
  expect(await subject.inputValue()).toBe("Players time out at the login");
});

test.each(["00000000-0000-7000-8000-000000000000", "no-id"])(
  "the ticket %s is not found, and the way leads back",
  async (id) => {
    const page = await fixture.open(`${support}/ticket/${id}`);
    await page.getByRole("paragraph").filter({ hasText: "Ticket not found" }).waitFor();
    await expectSoundEverywhere(page, "no ticket");
    await page.getByRole("link", { name: "Go Back" }).click();
    await page.waitForURL((url) => url.pathname === support);
  },
);
