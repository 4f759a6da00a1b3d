import { NativeSelect } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";
import {
  memberRoles,
  rightAreas,
  rightLevels,
  roleRights,
  type MemberRole,
  type RightArea,
  type RightLevel,
  type Rights,
} from "@palisade/contract/http/member-rights";
import { levelLabels, rightAreaLabels, roleHints, roleLabels } from "#src/ui/role-labels.ts";
import classes from "./sub-users.module.css";

export interface ChosenRole {
  readonly role: MemberRole;
  readonly rights: Rights;
}

export const usualRole: ChosenRole = { role: "manager", rights: roleRights.manager };

/** The body's part of a chosen role: only `custom` takes rights. */
export function roleBody({ role, rights }: ChosenRole) {
  return role === "custom" ? { role, rights } : { role };
}

interface RoleFieldsProps {
  readonly value: ChosenRole;
  readonly onChange: (value: ChosenRole) => void;
}

/** The choice of a role; of the role custom, also of the level for each area. */
export function RoleFields({ value, onChange }: RoleFieldsProps) {
  const { t, i18n } = useLingui();
  const { role, rights } = value;
  const choose = (typed: string) => {
    const chosen = memberRoles.find((known) => known === typed);
    if (chosen === undefined) return;
    // Own rights begin with those of the role before.
    onChange({ role: chosen, rights: chosen === "custom" ? rights : roleRights[chosen] });
  };
  return (
    <>
      <NativeSelect
        label={t`Role`}
        description={i18n._(roleHints[role])}
        value={role}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={memberRoles.map((known) => ({ value: known, label: i18n._(roleLabels[known]) }))}
      />
      {role === "custom" ? (
        <div className={classes["rights"]} role="group" aria-label={t`Rights`}>
          {rightAreas.map((area) => (
            <NativeSelect
              key={area}
              size="xs"
              label={i18n._(rightAreaLabels[area])}
              value={rights[area]}
              onChange={({ currentTarget }) => {
                const level = rightLevels.find((known) => known === currentTarget.value);
                if (level) onChange({ role, rights: { ...rights, [area]: level } });
              }}
              data={levelsOf(area).map((level) => ({
                value: level,
                label: i18n._(levelLabels[level]),
              }))}
            />
          ))}
        </div>
      ) : null}
    </>
  );
}

const readAreas: ReadonlySet<RightArea> = new Set(["logs", "addresses", "history"] as const);

/** Members always see the overview; logs, addresses and history have nothing to change. */
function levelsOf(area: RightArea): readonly RightLevel[] {
  if (area === "general") return ["view", "change"];
  return readAreas.has(area) ? ["none", "view"] : rightLevels;
}
