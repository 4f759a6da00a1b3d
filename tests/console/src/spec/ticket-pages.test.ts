import { attachmentBytesMax } from "@palisade/contract/http/attachment-rules";
import { exampleIds } from "@palisade/contract/reference/example-story";
import { routes } from "@palisade/contract/http/routes";
import type { RouteDefinition } from "@palisade/contract/http/route";
import { ticketStatuses } from "@palisade/contract/http/tickets";
import { sampledLocales } from "@palisade/system-tests/screens/samples";
import { dismissToasts } from "@palisade/system-tests/auth/auth-pages";
import type { Texts } from "@palisade/system-tests/spec/rules";
import {
  attachmentTexts,
  rightTicket,
  ticketRules,
  ticketTexts as says,
} from "@palisade/system-tests/spec/ticket-texts";
import { until } from "@palisade/testing/until";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { useConsole } from "../console-fixture.ts";
import { chooseFiles, support, textFile, ticketPath } from "../screens/ticket-pages.ts";
import { createMessage, createTicket, image, numberedId } from "../stub-api/ticket-examples.ts";

/** Every rule and text of the pages of tickets, as the pages show it. */

const { tickets } = routes;
const fixture = useConsole();

/** An answer without a message of its own: the page must show its own text. */
const wordless = { status: 502, contentType: "text/html", body: "Bad gateway" };

describe.each(sampledLocales)("in %s", (locale) => {
  let page: Page;
  const say = (texts: Texts): string => texts[locale];
  const expectShown = (texts: Texts) =>
    page.getByText(say(texts), { exact: true }).filter({ visible: true }).first().waitFor();
  const button = (texts: Texts) => page.getByRole("button", { name: say(texts), exact: true });
  const field = (name: string) => page.locator(`form [name="${name}"]`);
  const open = async (path: string): Promise<void> => {
    page = await fixture.open(path, { locale });
  };
  const failing = (route: RouteDefinition) => fixture.api.answerRaw(route, wordless);

  async function fill(name: string, value: string): Promise<void> {
    const tag = await field(name).evaluate((element) => element.tagName);
    await (tag === "SELECT" ? field(name).selectOption(value) : field(name).fill(value));
  }

  async function expectFilesRefused(wrong: string): Promise<void> {
    const refused = (texts: Texts, file: string) =>
      expectShown({ ...texts, [locale]: fileText(texts, file) });
    const fileText = (texts: Texts, file: string) => say(texts).replace("{file}", file);
    await chooseFiles(page, [textFile(wrong)]);
    await refused(attachmentTexts.type, wrong);
    const large = Buffer.alloc(attachmentBytesMax + 1);
    await chooseFiles(page, [{ name: "large.txt", mimeType: "text/plain", buffer: large }]);
    await refused(attachmentTexts.tooBig, "large.txt");
    const many = Array.from({ length: 6 }, (_, n) => textFile(`${n}.txt`));
    await chooseFiles(page, many);
    await expectShown(attachmentTexts.max);
    await page.locator("form ul button").first().click();
    // Files of one moment: the browser gives each the time at which it was made.
    await page.evaluate(`(() => {
      const file = () => new File(["x"], "twice.txt", { type: "text/plain", lastModified: 1 });
      const input = document.querySelector('input[type="file"]');
      const data = new DataTransfer();
      data.items.add(file());
      data.items.add(file());
      input.files = data.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    })()`);
    await refused(attachmentTexts.duplicate, "twice.txt");
  }

  test("a new ticket is held to every rule, and says what failed and what was done", async () => {
    await open(`${support}?new=any`);
    await expectShown(says.newTicket);
    await button(says.create).click();
    for (const rule of ticketRules) {
      if (typeof rule.typed !== "string") continue;
      await fill(rule.field, rule.typed);
      await expectShown(rule);
      await fill(rule.field, rightTicket[rule.field as keyof typeof rightTicket]);
    }
    failing(tickets.createTicket);
    await button(says.create).click();
    await expectShown(says.createFailed);
    await dismissToasts(page);
    fixture.api.restore(tickets.createTicket);
    await button(says.create).click();
    await expectShown(says.created);
  });

  test("files of a new ticket and of a reply are held to their rules", async () => {
    await open(`${support}?new=any`);
    await expectFilesRefused("table.csv");
    await open(ticketPath);
    await expectFilesRefused("paper.pdf");
  });

  test("the list says what it has and what failed", async () => {
    fixture.state.tickets = ticketStatuses.map((status, n) =>
      createTicket({ id: numberedId(200 + n), status }),
    );
    await open(support);
    const list = page.getByRole("main").getByRole("list").first();
    for (const texts of Object.values(says.statuses)) {
      await list.getByText(say(texts), { exact: true }).waitFor();
    }
    await expectShown(says.center);
    for (const category of says.categories) {
      const name = `${say(category)} ${say(says.available)}`;
      await page.getByRole("link", { name, exact: true }).waitFor();
    }
    fixture.state.tickets = [];
    await page.reload();
    await expectShown(says.none);
    failing(tickets.listTickets);
    page = await fixture.page({ locale });
    await page.goto(support);
    await expectShown(says.listFailed);
  });

  test("a ticket says what was done and what failed", async () => {
    fixture.state.tickets = [
      createTicket({
        messages: [
          createMessage({ id: numberedId(2), is_admin: true, attachments: [image] }),
          createTicket().messages[1] ?? createMessage(),
        ],
      }),
    ];
    failing(tickets.viewAttachment);
    await open(ticketPath);
    await expectShown(says.imageFailed);
    await expectShown(says.admin);
    await expectShown({ en: "STAFF", ru: "STAFF" });
    failing(tickets.downloadAttachment);
    await page.getByRole("button", { name: "latest.log" }).click();
    await expectShown(says.downloadFailed);
    await button(says.send).click();
    await expectShown(says.emptyReply);
    await field("message").fill("1.21.4");
    failing(tickets.replyToTicket);
    await button(says.send).click();
    await expectShown(says.sendFailed);
    fixture.api.restore(tickets.replyToTicket);
    await button(says.send).click();
    await expectShown(says.sent);
    fixture.api.refuse(tickets.replyToTicket, "ticket_closed");
    await field("message").fill("Once more");
    await button(says.send).click();
    await expectShown(says.replyToClosed);
    await dismissToasts(page);
    failing(tickets.closeTicket);
    await button(says.close).click();
    await button(says.confirmClose).click();
    await expectShown(says.closeFailed);
    await dismissToasts(page);
    fixture.api.restore(tickets.closeTicket);
    await button(says.close).click();
    await button(says.confirmClose).click();
    await page.waitForURL((url) => url.pathname === support);
    await page
      .getByRole("status")
      .or(page.getByRole("alert"))
      .getByText(say(says.closedDone))
      .first()
      .waitFor();
    await page.goto(ticketPath);
    await expectShown(says.closed);
    await button(says.reopen).waitFor();
  });

  test("a ticket that cannot be shown says why, and leads back", async () => {
    await open(`${support}/ticket/00000000-0000-7000-8000-000000000000`);
    await expectShown(says.notFound);
    await page.getByRole("link", { name: say(says.back) }).click();
    await page.waitForURL((url) => url.pathname === support);
    failing(tickets.getTicket);
    page = await fixture.page({ locale });
    await page.goto(ticketPath);
    await expectShown(says.readFailed);
  });

  test("the live channel says what came and what is wrong", async () => {
    page = await fixture.page({ locale });
    await page.clock.install();
    await page.goto(ticketPath);
    const { live } = fixture;
    const subscribed = () => live.received.some(({ event }) => event === "subscribe");
    await until(subscribed, { what: "the subscription" });
    const message = createMessage({ id: numberedId(7), is_admin: true });
    const data = { ...message, ticket_id: exampleIds.shield, is_internal: false };
    live.send({ event: "new-message", data });
    await expectShown(says.news);
    fixture.api.refuse(routes.liveChannel.createLiveToken, "internal");
    await live.drop(1001);
    await expectShown(says.connectionError);
    const lost = page.getByText(say(says.connectionLost), { exact: true });
    await until(
      async () => {
        await page.clock.runFor(3_000);
        return (await lost.count()) === 1;
      },
      { what: "the tries run out" },
    );
    fixture.api.restore(routes.liveChannel.createLiveToken);
    live.refusesWith = 1008;
    await page.locator("main").getByRole("status").getByRole("button").click();
    await expectShown(says.refused);
    expect(live.violations).toEqual([]);
  });
});
