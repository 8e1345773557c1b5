export default () => {
  const lab = labHere();
  return {
    ...lab,
    async render(context) {
      const stop = await lab.render(context);
      const { model } = context.el.querySelector(".pg-bench-live").bench;
      context.el.prepend(classBoard(context.model, model, context.el));
      return stop;
    }
  };
};
