import { exampleIds } from "@palisade/contract/reference/example-story";
import type { Page } from "playwright-core";

export const analyticsPath = `/dashboard/gameshield/${exampleIds.shield}/analytics`;

export const chartOf = (page: Page, name: string) =>
  page.getByRole("slider", { name, exact: true });

export const panelOf = (page: Page, name: string) =>
  page.getByRole("region", { name, exact: true });
