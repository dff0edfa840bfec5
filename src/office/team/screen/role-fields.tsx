import { useEffect, useState } from "react";
import { useLoaderData } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import { Select } from "#office/screen/controls.tsx";
import type { Session } from "#office/screen/session.tsx";
import type { loadTeam } from "./team.data.ts";

export const roles = ["owner", "marketing", "service", "shop"] as const satisfies Session["Role"][];

/** The role, and the shop of somebody who works in one. */
export function RoleFields({
  role,
  shopId,
  errors,
}: {
  role: Session["Role"];
  shopId: number | null;
  errors: Record<string, string> | undefined;
}) {
  const { t } = useTexts();
  const { Shops } = useLoaderData<typeof loadTeam>();
  const [chosen, setChosen] = useState<string>(role);
  useEffect(() => setChosen(role), [role]);
  return (
    <>
      <Select
        name="Role"
        label={t("office.team.role")}
        value={chosen}
        onChange={(event) => setChosen(event.target.value)}
        options={roles.map((name) => [name, t(`office.role.${name}`)])}
        hint={t(`office.roleText.${chosen as Session["Role"]}`)}
        error={errors?.["Role"]}
      />
      {chosen === "shop" && (
        <Select
          name="IdShop"
          label={t("office.team.shop")}
          defaultValue={String(shopId ?? "")}
          options={Shops.map(({ IdShop, Name, City }) => [String(IdShop), `${Name}, ${City}`])}
          error={errors?.["IdShop"]}
        />
      )}
    </>
  );
}
