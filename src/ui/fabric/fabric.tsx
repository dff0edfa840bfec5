export type FabricName = "cotton" | "silk" | "cashmere";

/** A decorative texture of woven fabric that fills its positioned parent. */
export function Fabric({ name }: { name: FabricName }) {
  return (
    <span aria-hidden="true" className={`cloth cloth-${name}`}>
      {name === "silk" && <span className="sheen absolute -inset-x-[12%] inset-y-0 block" />}
    </span>
  );
}
