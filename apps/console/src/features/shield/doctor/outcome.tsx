import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import type { DoctorFinding } from "@palisade/contract/http/server-setup";
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconHelpCircle,
} from "@tabler/icons-react";
import classes from "./doctor.module.css";

export const outcomes = {
  ok: { label: msg`Fine`, icon: IconCircleCheck },
  warning: { label: msg`Warning`, icon: IconAlertTriangle },
  failed: { label: msg`Problem`, icon: IconCircleX },
  unknown: { label: msg`Not known`, icon: IconHelpCircle },
} as const satisfies Record<DoctorFinding["outcome"], unknown>;

/** An outcome as an icon and a word. */
export function Outcome({ outcome }: { outcome: DoctorFinding["outcome"] }) {
  const { i18n } = useLingui();
  const { label, icon: Icon } = outcomes[outcome];
  return (
    <span className={classes["outcome"]} data-outcome={outcome}>
      <Icon size={16} stroke={1.6} aria-hidden="true" />
      {i18n._(label)}
    </span>
  );
}
