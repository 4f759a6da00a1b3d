import { oneOf, searchOf, text, uuid, wholeNumber } from "#src/lib/search-params.ts";

const statuses = {
  open: true,
  in_progress: true,
  waiting_customer: true,
  resolved: true,
  closed: true,
};
const categories = { billing: true, technical: true, sales: true };

/** The search parameters of the support page. Invalid values are left out. */
export const supportSearch = searchOf({
  page: wholeNumber(1, 1_000_000),
  status: oneOf(statuses),
  category: oneOf(categories),
  /** Shows the form of a new ticket: with this category, or with none chosen. */
  new: oneOf({ ...categories, any: true }),
  /** The form begins with it: links of the console fill in what they know. */
  subject: text(150),
  server: uuid(),
});

export type SupportSearch = ReturnType<typeof supportSearch>;
