export const fabrics = ["cotton", "silk", "cashmere"] as const;
export type FabricName = (typeof fabrics)[number];

/** The fabric of a status by its rank; the highest have the last. */
export const fabricOf = (rank: number): FabricName => fabrics[rank - 1] ?? "cashmere";

/** A decorative texture of woven fabric that fills its positioned parent. */
export function Fabric({ name }: { name: FabricName }) {
  return (
    <span aria-hidden="true" className={`cloth cloth-${name}`}>
      {name === "silk" && <span className="sheen absolute -inset-x-[12%] inset-y-0 block" />}
    </span>
  );
}
