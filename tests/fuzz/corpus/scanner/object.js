({get:function(){},set(v){},[`k`]:async()=>{},"function":1,async *m(){}})/1/g;if(x)/re/.test(y)
`${`${