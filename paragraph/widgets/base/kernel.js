// Is Python at work? Jupyter may answer widgets beside a running cell: the kernel's own "idle" is not enough,
// what counts is whether a cell runs.

/** `busy()` of the kernel behind a widget; false where no kernel is known, as in other front ends. */
function kernelWatch(model) {
  const kernel = () => model.widget_manager?.kernel,
    heard = kernel()?.iopubMessage;
  let running = kernel()?.status === "busy";
  const hear = (_, { header, parent_header: parent, content }) => {
    if (header.msg_type !== "status") return;
    if (parent?.msg_type === "execute_request") running = content.execution_state === "busy";
    else if (content.execution_state === "starting") running = false;
  };
  heard?.connect(hear);
  const isBusy = (status) =>
    ["busy", "starting", "restarting", "autorestarting"].includes(status) || (status === "idle" && running);
  return { busy: () => isBusy(kernel()?.status), stop: () => heard?.disconnect(hear) };
}
