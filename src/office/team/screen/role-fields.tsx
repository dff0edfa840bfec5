import { useEffect, useState } from "react";
import { useLoaderData } from "react-router";
import { useTexts } from "#i18n/use-texts.tsx";
import type { Session } from "#office/screen/session.tsx";
import { Select } from "#ui/form/select.tsx";
import type { loadTeam } from "./team.data.ts";

export const roles = ["owner", "marketing", "service", "shop"] as const satisfies Session["Role"][];

/** The role, and the shop of a person who works in one. */
export function RoleFields({ role, shopId }: { role: Session["Role"]; shopId: number | null }) {
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
      />
      {chosen === "shop" && (
        <Select
          name="IdShop"
          label={t("office.team.shop")}
          initial={String(shopId ?? "")}
          options={Shops.map(({ IdShop, Name, City }) => [String(IdShop), `${Name}, ${City}`])}
        />
      )}
    </>
  );
}
