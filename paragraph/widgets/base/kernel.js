// Is Python at work? Jupyter may answer widgets beside a running cell: the kernel's own "idle" is not enough,
// what counts is whether a cell runs.

const AT_WORK = ["busy", "starting", "restarting", "autorestarting"];

/** `isBusy()` of the kernel behind a widget; false where no kernel is known, as in other front ends. */
function kernelWatch(model) {
  const kernel = () => model.widget_manager?.kernel;
  const messages = kernel()?.iopubMessage;
  let runs = kernel()?.status === "busy";
  const hear = (_, { header, parent_header: parent, content }) => {
    if (header.msg_type !== "status") return;
    if (parent?.msg_type === "execute_request") runs = content.execution_state === "busy";
    else if (content.execution_state === "starting") runs = false;
  };
  messages?.connect(hear);
  const isBusy = (status) => AT_WORK.includes(status) || (status === "idle" && runs);
  return { isBusy: () => isBusy(kernel()?.status), stop: () => messages?.disconnect(hear) };
}
