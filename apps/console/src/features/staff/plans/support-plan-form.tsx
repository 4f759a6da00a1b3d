import { TextInput } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";
import {
  createSupportPlan,
  editSupportPlan,
  type StaffSupportPlan,
} from "@palisade/contract/http/staff-plans";
import type { z } from "zod";
import { call } from "#src/api/client.ts";
import { centsOf } from "../parts/euro-text.ts";
import parts from "../parts/parts.module.css";
import { StaffFormDialog } from "../parts/staff-form-dialog.tsx";
import { NewPlanFields, PlanTextFields } from "./plan-fields.tsx";

interface SupportPlanFormProps {
  /** Null: a new one. */
  readonly plan: StaffSupportPlan | null;
  readonly onClose: () => void;
}

function valuesOf(plan: StaffSupportPlan | null) {
  return {
    slug: plan?.slug ?? "",
    price_cents: "",
    en_name: plan?.en.name ?? "",
    en_description: plan?.en.description ?? "",
    ru_name: plan?.ru?.name ?? "",
    ru_description: plan?.ru?.description ?? "",
    position: String(plan?.position ?? 10),
  };
}

type Values = ReturnType<typeof valuesOf> & { readonly reason: string };

function bodyOf(plan: StaffSupportPlan | null, values: Values) {
  const { ru_name: ruName, ru_description: ruDescription } = values;
  const hasRussian = ruName.trim() !== "" || ruDescription.trim() !== "";
  const body = {
    en: { name: values.en_name, description: values.en_description },
    ru: hasRussian ? { name: ruName, description: ruDescription } : null,
    position: Number(values.position),
    reason: values.reason,
  };
  if (plan !== null) return body;
  return { ...body, slug: values.slug, price_cents: centsOf(values.price_cents) };
}

export function SupportPlanForm({ plan, onClose }: SupportPlanFormProps) {
  const { t } = useLingui();
  const name = plan?.en.name ?? "";
  return (
    <StaffFormDialog
      wide
      title={plan === null ? t`Add support plan` : t`Edit ${name}`}
      action={plan === null ? t`Add support plan` : t`Save`}
      schema={plan === null ? createSupportPlan.body : editSupportPlan.body}
      initial={valuesOf(plan)}
      toBody={(values) => bodyOf(plan, values)}
      run={async (body) => {
        if (plan !== null) {
          return (await call(editSupportPlan, { params: { plan: plan.slug }, body })).data.message;
        }
        // A new plan's values have a name and a price; the schema has checked them.
        const added = body as z.input<typeof createSupportPlan.body>;
        return (await call(createSupportPlan, { body: added })).data.message;
      }}
      onClose={onClose}
    >
      {(field) => (
        <>
          {plan === null ? <NewPlanFields field={field} /> : null}
          <div className={parts["two"]}>
            <PlanTextFields field={field} />
          </div>
          <TextInput
            label={t`Place among the plans`}
            description={t`Smaller numbers come first`}
            inputMode="numeric"
            {...field("position")}
          />
        </>
      )}
    </StaffFormDialog>
  );
}
