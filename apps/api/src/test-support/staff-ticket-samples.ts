import { newId } from "#src/platform/database/ids.ts";
import type { RouteSample } from "./route-sample.ts";
import { addQuarantinedMail } from "./quarantined-mails.ts";
import { addTicket } from "./ticket-samples.ts";
import type { TestWorld } from "./test-world.ts";

/** A ticket of the owner's. */
const ofTicket =
  (body?: (world: TestWorld) => object): RouteSample =>
  async (world) => {
    const { id } = await addTicket(world.testApp, world.owner.id);
    return { params: { ticketId: id }, ...(body && { body: body(world) }) };
  };

const ofFile: RouteSample = async ({ testApp, owner }) => {
  const { id, file } = await addTicket(testApp, owner.id);
  return { params: { ticketId: id, file } };
};

const cannedText = { title: "Hello", body_en: "Hello {customer}", body_ru: "" };

const ofReply =
  (body: object): RouteSample =>
  async ({ testApp }) => {
    const id = newId();
    const now = testApp.clock.now();
    await testApp.platform.db
      .insertInto("canned_replies")
      .values({ id, ...cannedText, created_at: now, updated_at: now })
      .execute();
    return { params: { replyId: id }, body };
  };

const ofMail =
  (body?: object): RouteSample =>
  async ({ testApp, owner }) => {
    const { id: ticketId } = await addTicket(testApp, owner.id);
    const mailId = await addQuarantinedMail(testApp, { ticketId });
    return { params: { mailId }, ...(body && { body }) };
  };

async function numberOf({ testApp }: TestWorld, id: string): Promise<number> {
  const { number } = await testApp.platform.db
    .selectFrom("tickets")
    .select("number")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return Number(number);
}

export const staffTicketSamples = {
  "tickets.responseTimes": () => ({}),
  "staffTickets.list": () => ({ query: { view: "waiting", search: "join" } }),
  "staffTickets.get": ofTicket(),
  "staffTickets.reply": ofTicket(() => ({ message: "We look into it." })),
  "staffTickets.change": ofTicket(({ staff }) => ({
    assignee_id: staff.id,
    severity: "high",
    tags: ["ddos"],
  })),
  "staffTickets.merge": async (world) => {
    const { id } = await addTicket(world.testApp, world.owner.id);
    const other = await addTicket(world.testApp, world.owner.id);
    const into = await numberOf(world, other.id);
    return { params: { ticketId: id }, body: { into, reason: "The same question" } };
  },
  "staffTickets.bulk": async ({ testApp, owner }) => {
    const { id } = await addTicket(testApp, owner.id);
    return { body: { ids: [id], action: { kind: "tag", tag: "ddos" } } };
  },
  "staffTickets.look": ofTicket(() => ({ is_typing: true })),
  "staffTickets.download": ofFile,
  "staffTickets.view": ofFile,
  "staffSupport.get": () => ({}),
  // As they are already: other targets would change when tickets of other tests are due.
  "staffSupport.changeTargets": () => ({
    params: { plan: "business" },
    body: {
      low: { minutes: 30, hours: "always" },
      medium: { minutes: 30, hours: "always" },
      high: { minutes: 30, hours: "always" },
      critical: { minutes: 15, hours: "always" },
      reason: "As the contract says",
    },
  }),
  "staffSupport.changeHours": () => ({
    body: {
      time_zone: "Europe/Berlin",
      days: [1, 2, 3, 4, 5],
      opens_at: "09:00",
      closes_at: "18:00",
      reason: "As before",
    },
  }),
  "staffMails.list": () => ({}),
  "staffMails.get": ofMail(),
  "staffMails.accept": ofMail({ reason: "From their other address" }),
  "staffMails.discard": ofMail({ reason: "Spam" }),
  "cannedReplies.list": () => ({}),
  "cannedReplies.create": () => ({ body: cannedText }),
  "cannedReplies.update": ofReply({ ...cannedText, body_ru: "Здравствуйте, {customer}" }),
  "cannedReplies.delete": ofReply({ reason: "Not used any more" }),
} satisfies Readonly<Record<string, RouteSample>>;
