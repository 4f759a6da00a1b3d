import { Textarea, TextInput } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";
import parts from "../parts/parts.module.css";
import type { FieldOf } from "../parts/staff-form-dialog.tsx";

interface FieldsProps {
  readonly field: FieldOf;
}

/** They cannot be changed later. */
export function NewPlanFields({ field }: FieldsProps) {
  const { t } = useLingui();
  return (
    <div className={parts["two"]}>
      <TextInput
        label={t`Name in addresses`}
        description={t`Cannot be changed later, for example plus`}
        maxLength={32}
        autoComplete="off"
        {...field("slug")}
      />
      <TextInput
        label={t`Price a month in euros, without VAT`}
        inputMode="decimal"
        {...field("price_cents")}
      />
    </div>
  );
}

/** Name and description in both languages. */
export function PlanTextFields({ field }: FieldsProps) {
  const { t } = useLingui();
  return (
    <>
      <TextInput label={t`Name in English`} maxLength={60} {...field("en_name")} />
      <TextInput label={t`Name in Russian`} maxLength={60} {...field("ru_name")} />
      <Textarea
        label={t`Description in English`}
        autosize
        minRows={2}
        maxLength={300}
        {...field("en_description")}
      />
      <Textarea
        label={t`Description in Russian`}
        autosize
        minRows={2}
        maxLength={300}
        {...field("ru_description")}
      />
    </>
  );
}
