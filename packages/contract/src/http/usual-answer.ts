import { z } from "zod";

/** Whether a target counts in the hours of support, or day and night. */
export const targetHours = ["business", "always"] as const;
export type TargetHours = (typeof targetHours)[number];

/** From so many first answers of the last 30 days on, their median is shown instead of the target. */
export const measuredAnswersMin = 20;

export const usualAnswer = z
  .object({
    usual_minutes: z
      .int()
      .describe(
        "Tickets are usually answered within so many minutes; a target until it is measured",
      ),
    hours: z
      .enum(targetHours)
      .describe("Whether the minutes count in the hours of support, or day and night"),
  })
  .meta({ id: "UsualAnswer" });

export type UsualAnswer = z.infer<typeof usualAnswer>;
