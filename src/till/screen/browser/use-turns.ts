import { useCallback, useRef } from "react";

/** Says whether it went well; what follows it was meant for that case. */
type Step = (formerWentWell: boolean) => Promise<boolean>;

export type InTurn = (step: Step) => void;

/**
 * What is scanned and pressed is worked through in its order, however slow the network: each step begins when the one
 * before it has ended, and learns whether all in front of it went well. A step that nothing was in front of learns nothing bad.
 */
export function useTurns(): InTurn {
  const last = useRef<Promise<boolean>>(undefined);
  return useCallback((step: Step) => {
    const former = last.current;
    const turn = former
      ? former.then(
          async (wentWell) => (await step(wentWell)) && wentWell,
          () => step(false),
        )
      : step(true);
    last.current = turn;
    void turn.finally(() => {
      if (last.current === turn) last.current = undefined;
    });
  }, []);
}
