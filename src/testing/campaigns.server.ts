import { afterEach } from "vitest";
import * as calls from "#office/campaigns/calls.ts";
import { openTestOffice } from "./office.server.ts";

/** The back office, with campaigns. After each test the clock is back at the start. */
export async function openTestCampaigns() {
  const office = await openTestOffice();
  const { clock, openOffice } = office;
  const today = "2026-03-10";
  const start = clock.now;
  afterEach(() => {
    clock.now = start;
  });

  /** Launched by one person, approved by no one yet. */
  async function launch(campaign: object) {
    const marketing = await openOffice("marketing");
    const names = { NameFr: "Ventes privées", NameEn: "Private sale", NameDe: "Privatverkauf" };
    const texts = { TextFr: "Deux fois plus de points", TextEn: "Twice the points", TextDe: "Doppelte Punkte" };
    const { IdCampaign } = await marketing.call(calls.addCampaign, {
      // Everybody gets it, unless a test asks for a control group.
      ...{
        ...names,
        ...texts,
        ControlPercent: "0",
        ControlNote: "All of them",
        From: today,
        To: "2026-03-31",
        ...campaign,
      },
    });
    return {
      // A session of its own: the clock may have moved.
      end: async () => (await openOffice("marketing")).call(calls.endCampaign, { IdCampaign }),
      read: async () =>
        (await (await openOffice("marketing")).call(calls.listCampaigns)).Campaigns.find(
          (one) => one.IdCampaign === IdCampaign,
        ),
      approve: async () => (await openOffice("owner")).call(calls.approveCampaign, { IdCampaign }),
      office: marketing,
      IdCampaign,
    };
  }

  /** Launched and approved at once. Only the campaigns of one test are in force. */
  async function begin(campaign: object) {
    const launched = await launch(campaign);
    await launched.approve();
    return launched;
  }

  return {
    ...office,
    begin,
    launch,
    today,
    hours: (count: number) => new Date(clock.now.getTime() + count * 3_600_000),
  };
}
