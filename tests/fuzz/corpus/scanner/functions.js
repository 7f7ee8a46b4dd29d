const f=async function*g(){for await(const x of y)yield*x},h=a?()=>b:c=>d
<!-- x
--> y
//# sourceMappingURL=a.map