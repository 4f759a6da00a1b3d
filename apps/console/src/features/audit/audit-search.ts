import { tidyLine } from "@palisade/contract/http/fields";
import { z } from "zod";

export const auditMethods = ["GET", "POST", "PUT", "DELETE"] as const;

/** What the address of the audit log holds; whatever does not fit is left out. */
export const auditSearch = z.object({
  page: z.int().min(1).max(1_000_000).optional().catch(undefined),
  endpoint: z.string().overwrite(tidyLine).min(1).max(200).optional().catch(undefined),
  method: z.enum(auditMethods).optional().catch(undefined),
  status: z.int().min(100).max(599).optional().catch(undefined),
  days: z.int().min(1).max(365).optional().catch(undefined),
});

export type AuditSearch = z.infer<typeof auditSearch>;
