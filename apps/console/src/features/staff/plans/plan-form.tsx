import { NativeSelect, Switch, Textarea, TextInput } from "@mantine/core";
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { antibotLevels } from "@palisade/contract/edge/plain-values";
import { createPlan, editPlan, type StaffPlan } from "@palisade/contract/http/staff-plans";
import type { z } from "zod";
import { call } from "#src/api/client.ts";
import parts from "../parts/parts.module.css";
import { StaffFormDialog } from "../parts/staff-form-dialog.tsx";
import { NewPlanFields, PlanTextFields } from "./plan-fields.tsx";
import { planBody, planValues } from "./plan-values.ts";

interface PlanFormProps {
  /** Null: a new one. */
  readonly plan: StaffPlan | null;
  readonly locations: readonly string[];
  readonly onClose: () => void;
}

const levelLabels = {
  disabled: msg`Disabled`,
  low: msg`Low`,
  medium: msg`Medium`,
  high: msg`High`,
  extreme: msg`Extreme`,
};

/** The texts of a plan in both languages, and what it allows. */
export function PlanForm({ plan, locations, onClose }: PlanFormProps) {
  const { t, i18n } = useLingui();
  const name = plan?.en.name ?? "";
  const known = locations.join(", ");
  return (
    <StaffFormDialog
      wide
      title={plan === null ? t`Add plan` : t`Edit ${name}`}
      action={plan === null ? t`Add plan` : t`Save`}
      schema={plan === null ? createPlan.body : editPlan.body}
      initial={planValues(plan)}
      toBody={(values) => planBody(plan, values)}
      run={async (body) => {
        if (plan !== null) {
          return (await call(editPlan, { params: { plan: plan.slug }, body })).data.message;
        }
        // A new plan's values have a name and a price; the schema has checked them.
        const added = body as z.input<typeof createPlan.body>;
        return (await call(createPlan, { body: added })).data.message;
      }}
      onClose={onClose}
    >
      {(field) => (
        <>
          {plan === null ? <NewPlanFields field={field} /> : null}
          <p className={parts["legend"]}>
            <Trans>Texts</Trans>
          </p>
          <div className={parts["two"]}>
            <PlanTextFields field={field} />
            <Textarea
              label={t`Features in English`}
              description={t`One on each line`}
              autosize
              minRows={3}
              maxRows={10}
              {...field("en_features")}
            />
            <Textarea
              label={t`Features in Russian`}
              description={t`One on each line`}
              autosize
              minRows={3}
              maxRows={10}
              {...field("ru_features")}
            />
          </div>
          <p className={parts["legend"]}>
            <Trans>Limits</Trans>
          </p>
          <div className={parts["two"]}>
            <TextInput label={t`Domains`} inputMode="numeric" {...field("limits_domains")} />
            <TextInput
              label={t`Backend groups`}
              inputMode="numeric"
              {...field("limits_backend_groups")}
            />
            <TextInput
              label={t`Traffic a month in GB`}
              description={t`Empty: no limit`}
              inputMode="decimal"
              {...field("limits_traffic_bytes_per_month")}
            />
            <NativeSelect
              label={t`Strictest antibot level`}
              data={antibotLevels.map((value) => ({ value, label: i18n._(levelLabels[value]) }))}
              {...field("limits_antibot_ceiling")}
            />
            <TextInput
              label={t`Days in the log`}
              description={t`Empty: 7`}
              inputMode="numeric"
              {...field("limits_log_days")}
            />
            <TextInput
              label={t`Days of analytics`}
              description={t`Empty: 396`}
              inputMode="numeric"
              {...field("limits_analytics_days")}
            />
            <TextInput
              label={t`Players on each edge`}
              description={t`Empty: as the edge is set`}
              inputMode="numeric"
              {...field("limits_players")}
            />
            <TextInput
              label={t`Unfinished logins on each edge`}
              description={t`Empty: as the edge is set`}
              inputMode="numeric"
              {...field("limits_half_open_logins")}
            />
            <TextInput
              label={t`Bytes a second on each edge`}
              description={t`Empty: as the edge is set`}
              inputMode="numeric"
              {...field("limits_bytes_per_second")}
            />
            <TextInput
              label={t`Place among the plans`}
              description={t`Smaller numbers come first`}
              inputMode="numeric"
              {...field("position")}
            />
          </div>
          <TextInput
            label={t`Locations`}
            description={t`Empty: all. Known: ${known}`}
            {...field("limits_locations")}
          />
          <Switch label={t`Caching`} {...field("limits_caching", { type: "checkbox" })} />
          <Switch
            label={t`Own messages and pictures`}
            {...field("limits_customization", { type: "checkbox" })}
          />
          <Switch label={t`Anti-VPN`} {...field("limits_anti_vpn", { type: "checkbox" })} />
          {plan === null ? null : (
            <p>
              <Trans>
                Other limits reach the edges within minutes. A shield that has more than the plan
                allows keeps it until its owner changes something there.
              </Trans>
            </p>
          )}
        </>
      )}
    </StaffFormDialog>
  );
}
